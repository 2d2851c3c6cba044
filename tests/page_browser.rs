//! The states of the page's panes, each drawn from a chat that has it.
#![cfg(target_arch = "wasm32")]

use diffledger_core::transcript;
use diffledger_web::recording::{Act, Recording, Script};
use diffledger_web::view;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// A page of its own.
struct Drawn(HtmlElement);

impl Drawn {
    fn of(messages: &[(&str, &str)], acts: &[Act]) -> Self {
        let lines: Vec<String> = messages
            .iter()
            .map(|(role, content)| serde_json::json!({ "role": role, "content": content }).to_string())
            .collect();
        let mut transcript = transcript::read(lines.join("\n").as_bytes()).unwrap_or_else(|_| empty());
        transcript.skipped = Default::default();
        let script = Script::new("a chat", transcript);
        let mut recording = Recording::complete(script).unwrap();
        acts.iter().for_each(|act| recording.act(act.clone()));
        let document = web_sys::window().unwrap().document().unwrap();
        let place: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        document.body().unwrap().append_child(&place).unwrap();
        view::show(place.clone(), recording);
        Self(place)
    }

    fn find(&self, selector: &str) -> Option<Element> {
        self.0.query_selector(selector).unwrap()
    }

    fn count(&self, selector: &str) -> u32 {
        self.0.query_selector_all(selector).unwrap().length()
    }

    fn text(&self, selector: &str) -> String {
        self.find(selector).and_then(|element| element.text_content()).unwrap_or_default()
    }

    /// Presses what is there, and lets the page draw.
    async fn press(&self, selector: &str) {
        self.find(selector).unwrap().unchecked_into::<HtmlElement>().click();
        JsFuture::from(js_sys::Promise::resolve(&JsValue::NULL)).await.unwrap();
        let drawn = js_sys::Promise::new(&mut |resolve: js_sys::Function, _: js_sys::Function| {
            web_sys::window().unwrap().set_timeout_with_callback(&resolve).unwrap();
        });
        JsFuture::from(drawn).await.unwrap();
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        self.0.remove();
    }
}

fn empty() -> transcript::Transcript {
    transcript::Transcript {
        format: transcript::Format::Plain,
        messages: Vec::new(),
        markers: Vec::new(),
        skipped: Default::default(),
    }
}

const PORT: [(&str, &str); 3] =
    [("user", "the staging port is 8444"), ("assistant", "Noted: staging is on port 8444."), ("user", "thanks")];

fn crunched_and_asked() -> Drawn {
    Drawn::of(&PORT, &[Act::Crunch(None), Act::Say("which port is staging on?".into())])
}

#[wasm_bindgen_test]
async fn an_empty_chat_has_nothing_to_replay_and_every_button_can_be_pressed() {
    let drawn = Drawn::of(&[], &[]);
    assert_eq!(drawn.text(".place"), "Nothing to replay");
    assert_eq!((drawn.count(".messages li"), drawn.count(".ledger tbody tr"), drawn.count(".bar")), (0, 0, 1));
    for name in ["First", "Back", "Next", "Last"] {
        drawn.press(&format!("[aria-label={name}]")).await;
    }
    drawn.press(".play").await;
    assert_eq!(drawn.text(".place"), "Nothing to replay");
}

#[wasm_bindgen_test]
async fn before_a_crunch_there_is_one_bar_and_nothing_is_missing() {
    let drawn = Drawn::of(&PORT, &[]);
    drawn.press("[aria-label=Last]").await;
    assert_eq!(drawn.count(".bar"), 1);
    assert_eq!(drawn.text(".asked"), "thanks");
    assert!(drawn.text(".nothing").starts_with("Nothing: this chat was never crunched"));
    assert_eq!((drawn.count(".step-list"), drawn.count(".dropped"), drawn.count(".state.stale")), (0, 0, 0));
}

#[wasm_bindgen_test]
async fn a_crunch_greys_what_left_and_says_what_was_lost() {
    let drawn = Drawn::of(&PORT, &[Act::Crunch(None)]);
    drawn.press("[aria-label=Last]").await;
    assert_eq!((drawn.count(".bar"), drawn.count(".message"), drawn.count(".message.dropped")), (2, 3, 3));
    assert!(drawn.text(".crunched").contains("3 messages left"), "{}", drawn.text(".crunched"));
    assert!(drawn.text(".crunched .names").contains("8444"), "{}", drawn.text(".crunched .names"));
    assert_eq!(drawn.count(".state.live"), 0);
    assert!(drawn.text(".nothing").starts_with("No message is asked"));
}

#[wasm_bindgen_test]
async fn a_gap_goes_through_four_steps_and_its_text_is_marked_where_it_came_from() {
    let drawn = crunched_and_asked();
    drawn.press("[aria-label=Last]").await;
    assert_eq!((drawn.count(".step-list.filled"), drawn.count(".step-list ol > li")), (1, 4));
    assert!(drawn.text("blockquote").contains("8444"));
    assert!(drawn.text("mark.gap").contains("port") && drawn.count("mark.source") > 0);
    assert!(drawn.text(".legend").contains("fills"));
    assert!(drawn.text(".inject pre").contains(&drawn.text("blockquote")));
}

#[wasm_bindgen_test]
async fn what_is_chosen_is_lit_in_the_ledger_and_in_the_chat_and_again_is_not() {
    let drawn = crunched_and_asked();
    drawn.press("[aria-label=Last]").await;
    assert_eq!(drawn.count("mark.selected"), 0);
    drawn.press(".step-list h3 button").await;
    assert_eq!(drawn.count("tr.selected"), 1);
    assert!(drawn.text("mark.selected").contains("8444"));
    drawn.press("tr.selected button").await;
    assert_eq!((drawn.count("tr.selected"), drawn.count("mark.selected")), (0, 0));
}

#[wasm_bindgen_test]
async fn what_the_visitor_did_can_be_taken_back_and_a_chat_as_it_came_cannot() {
    let drawn = crunched_and_asked();
    assert!(drawn.text(".transport").contains("Undo"));
    assert!(!Drawn::of(&PORT, &[]).text(".transport").contains("Undo"));
}

#[wasm_bindgen_test]
async fn the_json_is_written_only_while_somebody_reads_it() {
    let drawn = crunched_and_asked();
    drawn.press("[aria-label=Last]").await;
    assert_eq!(drawn.count(".json"), 0);
    drawn.press(".answer summary").await;
    drawn.press(".place").await;
    let turn: serde_json::Value = serde_json::from_str(&drawn.text(".json")).unwrap();
    assert_eq!(turn["gaps"].as_array().map(Vec::len), Some(1));
}
