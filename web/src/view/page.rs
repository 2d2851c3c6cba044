//! The page's state: a recording, a cursor, and what the visitor has chosen.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::address::{Address, Tab};
use crate::recording::{Act, Recording, Script, Shown};
use crate::roster::Filter;
use crate::{file, story, timeline};

/// Milliseconds that a replay works before it lets the browser draw: longer and the page stutters,
/// shorter and most of the time goes into waiting.
const SLICE: f64 = 12.0;

/// All that the panes read.
#[derive(Clone, Copy)]
pub struct Page {
    /// The frames.
    pub recording: RwSignal<Recording, LocalStorage>,
    /// The frame that is shown.
    pub cursor: RwSignal<usize>,
    /// The entry that is lit.
    pub selected: RwSignal<Option<u32>>,
    /// Which entries the table lists.
    pub filter: RwSignal<Filter>,
    /// Whether it plays by itself.
    pub is_playing: RwSignal<bool>,
    /// The part that is shown where not all of them fit.
    pub tab: RwSignal<Tab>,
    /// The name of the transcript that the page's own server offers.
    transcript: StoredValue<Option<String>>,
    /// Whether anything has moved yet: before, the page stands as the static one did.
    pub has_moved: RwSignal<bool>,
    /// Whether the key for a crunch was pressed; its dialog takes that back.
    pub asks_to_crunch: RwSignal<bool>,
    /// What is said to those who listen.
    pub status: RwSignal<String>,
    /// What went wrong.
    pub problem: RwSignal<Option<String>>,
    /// Whether a chat is being replayed. Nothing can be done to the one that is shown then: it is about
    /// to be replaced, and what was done would be lost.
    pub is_busy: RwSignal<bool>,
    /// Messages done and all, while a chat is replayed.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// The number of the last replay: an older one stops.
    job: StoredValue<u32>,
}

/// A panel asks for the page it stands on.
pub fn page() -> Page {
    expect_context::<Page>()
}

impl Page {
    /// A page that shows a recording, at the place that the address names.
    #[must_use]
    pub fn new(recording: Recording, address: Address) -> Self {
        let at = |turn: u32| recording.frames().iter().position(|shown| shown.turn == turn);
        let cursor = address.turn.and_then(at).unwrap_or_else(|| story::opening(&recording));
        Self {
            recording: RwSignal::new_local(recording),
            cursor: RwSignal::new(cursor),
            selected: RwSignal::new(address.entry),
            filter: RwSignal::new(Filter::default()),
            is_playing: RwSignal::new(false),
            tab: RwSignal::new(address.tab.unwrap_or(Tab::Missing)),
            transcript: StoredValue::new(address.transcript),
            has_moved: RwSignal::new(false),
            asks_to_crunch: RwSignal::new(false),
            status: RwSignal::new(String::new()),
            problem: RwSignal::new(None),
            is_busy: RwSignal::new(false),
            progress: RwSignal::new(None),
            job: StoredValue::new(0),
        }
    }

    /// Reads something of the frame at the cursor.
    pub fn frame<T>(self, read: impl FnOnce(&Shown) -> T) -> Option<T> {
        let cursor = self.cursor.get();
        self.recording.with(|recording| recording.frames().get(cursor).map(read))
    }

    /// Stands at a frame; stops playing.
    pub fn go(self, frame: usize) {
        self.is_playing.set(false);
        self.show(frame);
    }

    fn show(self, frame: usize) {
        let last = self.recording.with_untracked(|recording| recording.frames().len().saturating_sub(1));
        self.has_moved.set(true);
        self.cursor.set(frame.min(last));
        if self.is_playing.get_untracked() {
            self.status.set(String::new());
        } else {
            self.status.set(self.recording.with_untracked(|recording| timeline::happened(recording, frame.min(last))));
        }
    }

    /// One frame on while playing; stops at the end.
    pub fn play_on(self) {
        let next = self.cursor.get_untracked() + 1;
        if self.recording.with_untracked(|recording| next >= recording.frames().len()) {
            self.is_playing.set(false);
        } else {
            self.show(next);
        }
    }

    /// One frame back or on.
    pub fn step(self, forward: bool) {
        let cursor = self.cursor.get_untracked();
        self.go(if forward { cursor + 1 } else { cursor.saturating_sub(1) });
    }

    /// The next frame of a sort, or the last one of it.
    pub fn find(self, forward: bool, wanted: impl Fn(&Shown) -> bool) {
        let cursor = self.cursor.get_untracked();
        let found = self.recording.with_untracked(|recording| timeline::find(recording, cursor, forward, wanted));
        match found {
            Some(frame) => self.go(frame),
            None => self.status.set("There is none further on".into()),
        }
    }

    /// The keys that move the cursor, while no field has them.
    pub fn key(self, event: &web_sys::KeyboardEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let in_field =
            target.is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
        if in_field || event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let crunched = |shown: &Shown| shown.frame.turn.crunch.is_some();
        match event.key().as_str() {
            "ArrowLeft" => self.step(false),
            "ArrowRight" => self.step(true),
            "Home" => self.go(0),
            "End" => self.go(usize::MAX),
            "[" => self.find(false, crunched),
            "]" => self.find(true, crunched),
            "c" => self.ask_to_crunch(),
            "g" => self.find(true, |shown| shown.gaps() > 0),
            _ => return,
        }
        event.prevent_default();
    }

    /// Does something at the cursor: at the end at once, in the middle by a replay.
    pub fn act(self, act: Act) {
        self.is_playing.set(false);
        if self.is_busy.get_untracked() {
            return;
        }
        let cursor = self.cursor.get_untracked();
        if self.recording.with_untracked(|recording| recording.is_end(cursor)) {
            self.recording.update(|recording| recording.act(act));
            self.show(usize::MAX);
        } else {
            let (script, number) = self.recording.with_untracked(|recording| recording.with_act(cursor, act));
            self.load(script, move |recording| recording.frame_of_act(number).unwrap_or(cursor));
        }
    }

    /// Asks what to crunch to.
    pub fn ask_to_crunch(self) {
        self.is_playing.set(false);
        self.asks_to_crunch.set(!self.is_busy.get_untracked());
    }

    /// Takes back what the visitor did at the cursor, or all of it.
    pub fn undo(self) {
        let cursor = self.cursor.get_untracked();
        let (script, end) = self.recording.with_untracked(|recording| {
            (recording.without_act(cursor), recording.frames().get(cursor).map_or(0, |shown| shown.frame.messages.end))
        });
        self.load(script, move |recording| {
            recording.frames().iter().rposition(|shown| shown.frame.messages.end <= end).unwrap_or(0)
        });
    }

    /// Replays a script in slices and then shows it, at the frame that `place` names.
    pub fn load(self, script: Script, place: impl FnOnce(&Recording) -> usize + 'static) {
        let job = self.job.with_value(|job| job + 1);
        self.job.set_value(job);
        self.problem.set(None);
        let mut recording = match Recording::new(script) {
            Ok(recording) => recording,
            Err(error) => return self.problem.set(Some(error.to_string())),
        };
        self.is_busy.set(true);
        leptos::task::spawn_local(async move {
            let now = || window().performance().map_or(0.0, |clock| clock.now());
            let mut since = now();
            while recording.advance() {
                if now() - since < SLICE {
                    continue;
                }
                self.progress.set(Some(recording.progress()));
                pause().await;
                if self.job.with_value(|current| *current != job) {
                    return;
                }
                since = now();
            }
            self.progress.set(None);
            self.is_busy.set(false);
            let frame = place(&recording);
            self.selected.set(None);
            self.recording.set(recording);
            self.show(frame);
        });
    }

    /// Reads a chat from the bytes of a file, and shows it where it first refers to something lost.
    pub fn import(self, name: &str, bytes: &[u8], crunch_from: Option<u32>) {
        match file::read(name, bytes).map(|script| Script { crunch_from, ..script }) {
            Ok(script) if script.transcript.messages.is_empty() && script.acts.is_empty() => {
                self.problem.set(Some(format!("{name}: no message is in it")));
            }
            Ok(script) => self.load(script, |recording| {
                let frames = recording.frames();
                frames.iter().position(|shown| shown.gaps() > 0).unwrap_or(frames.len().saturating_sub(1))
            }),
            Err(error) => self.problem.set(Some(format!("{name}: {error}"))),
        }
    }

    /// Asks the page's own server for the transcript that the address names.
    pub fn fetch_transcript(self) {
        let Some(name) = self.transcript.get_value() else { return };
        let name = js_sys::decode_uri_component(&name).map_or(name, String::from);
        leptos::task::spawn_local(async move {
            match fetch("transcript").await {
                Some(bytes) => self.import(&name, &bytes, self.crunch_from()),
                None => {
                    self.problem.set(Some(format!("`{name}` is not offered by the server of this page: import it")))
                }
            }
        });
    }

    /// The user message from which on a crunch is simulated before each.
    fn crunch_from(self) -> Option<u32> {
        self.recording.with_untracked(|recording| recording.script().crunch_from)
    }

    /// Stops the replay that is under way; what was shown stays.
    pub fn cancel(self) {
        self.job.update_value(|job| *job += 1);
        self.progress.set(None);
        self.is_busy.set(false);
        self.problem.set(None);
    }

    /// Keeps the address up with the cursor, once it rests: browsers refuse to write it at every step.
    pub fn keep_address(self) {
        Effect::new(move |before: Option<Option<TimeoutHandle>>| {
            if let Some(Some(handle)) = before {
                handle.clear();
            }
            let turn = self.frame(|shown| shown.turn);
            let (entry, tab) = (self.selected.get(), Some(self.tab.get()));
            let transcript = self.transcript.get_value();
            let address = Address { turn, entry, tab, crunch_from: self.crunch_from(), transcript };
            self.has_moved.get().then(|| set_timeout_with_handle(move || write(&address), REST).ok()).flatten()
        });
    }
}

/// How long the cursor rests until the address is written.
const REST: Duration = Duration::from_millis(200);

fn write(address: &Address) {
    if let Ok(history) = window().history() {
        // The address is a convenience: where it cannot be written, it stays as it was.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{}", address.write())));
    }
}

/// The bytes at an address of the page's own server.
async fn fetch(address: &str) -> Option<Vec<u8>> {
    let response = JsFuture::from(window().fetch_with_str(address)).await.ok()?;
    let response: web_sys::Response = response.dyn_into().ok()?;
    let buffer = JsFuture::from(response.array_buffer().ok().filter(|_| response.ok())?).await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// Lets the browser draw and listen.
async fn pause() {
    let promise = js_sys::Promise::<JsValue>::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback(resolve.as_ref());
    });
    let _ = JsFuture::from(promise).await;
}
