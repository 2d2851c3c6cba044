use diffledger_core::transcript;

use super::*;
use crate::story;

fn check(script: Script) -> Recording {
    let recording = Recording::complete(script).unwrap();
    let session = recording.session();
    let last = recording.frames().len() - 1;
    for entry in session.ledger().entries() {
        assert_eq!(recording.standing(entry, last).unwrap().1.state, session.ledger().state(entry), "{entry:?}");
    }
    for atom in session.log().atoms() {
        assert_eq!(recording.visible(atom.seq, last).unwrap().1, session.log().view().contains(&atom.seq));
    }
    for shown in recording.frames() {
        if let Some((before, after)) = shown.frame.window {
            assert_eq!(shown.before.unwrap().total(), before);
            assert_eq!(shown.window.total() - shown.window.get(Class::Fills), after);
        }
        let Counts { live, weakened, stale, expired } = shown.counts;
        let frame = recording.frames().iter().position(|other| std::ptr::eq(other, shown)).unwrap();
        let known = session.ledger().entries().iter().filter_map(|entry| recording.standing(entry, frame));
        assert_eq!((live + weakened + stale + expired) as usize, known.count());
    }
    recording
}

fn chat(text: &str) -> Script {
    Script::new("chat", transcript::read(text.as_bytes()).unwrap())
}

const CHAT: &str = r#"[
    {"role": "user", "content": "How do we reach staging?"},
    {"role": "assistant", "content": "Through the tunnel: staging listens on port 8444."},
    {"role": "user", "content": "Good. Now the parser."},
    {"role": "assistant", "content": "The parser is done."}]"#;

#[test]
fn the_story_is_recorded_as_the_core_replays_it() {
    let story = story::script();
    let (_, frames) =
        diffledger_core::replay::replay(&story.transcript, Config::default(), Options::default()).unwrap();
    let recording = check(story);
    let shown: Vec<_> =
        recording.frames().iter().take(frames.len()).map(|shown| shown.frame.turn.gaps.clone()).collect();
    assert_eq!(shown, frames.into_iter().map(|frame| frame.turn.gaps).collect::<Vec<_>>());
}

#[test]
fn replies_after_the_last_user_message_are_a_frame_of_their_own() {
    let recording = check(chat(CHAT));
    assert_eq!(recording.frames().iter().map(|shown| shown.atoms).collect::<Vec<_>>(), [1, 3, 4]);
}

#[test]
fn what_is_done_at_the_end_is_found_by_a_replay_of_the_script() {
    let mut recording = check(chat(CHAT));
    recording.act(Act::Crunch(None));
    recording.act(Act::Say("which port was staging on?".into()));
    let last = recording.frames().last().unwrap();
    assert_eq!(last.frame.turn.fills.len(), 1);
    let again = check(recording.script().clone());
    assert_eq!(again.frames(), recording.frames());
}

#[test]
fn an_act_in_the_middle_comes_after_the_replies_and_before_the_next_message() {
    let recording = check(chat(CHAT));
    let (script, number) = recording.with_act(0, Act::Crunch(Some("They spoke about staging.".into())));
    let recording = check(script);
    let frame = recording.frame_of_act(number).unwrap();
    let shown = &recording.frames()[frame];
    assert!(shown.is_act && shown.frame.turn.crunch.is_some());
    assert_eq!(shown.frame.messages, 1..2);
    assert_eq!(recording.frames()[frame + 1].frame.messages, 2..3);
    let (script, number) = recording.with_act(frame, Act::Say("what is the port?".into()));
    let recording = check(script);
    let frame = recording.frame_of_act(number).unwrap();
    assert!(recording.frames()[frame].frame.turn.fills[0].text.contains("8444"));
}

#[test]
fn an_empty_chat_has_one_frame_as_soon_as_something_is_said() {
    let mut recording = Recording::complete(chat("[]")).unwrap();
    assert!(recording.frames().is_empty());
    recording.act(Act::Crunch(None));
    recording.act(Act::Say("hello".into()));
    assert_eq!(recording.frames().len(), 2);
}

#[test]
fn a_crunch_before_each_message_from_one_on_is_simulated() {
    let asked = r#", {"role": "user", "content": "which port was staging on?"}]"#;
    let script = Script { crunch_from: Some(3), ..chat(&CHAT.replace(']', asked)) };
    let recording = check(script);
    let crunched: Vec<bool> = recording.frames().iter().map(|shown| shown.frame.turn.crunch.is_some()).collect();
    assert_eq!(crunched, [false, false, true]);
    assert!(recording.frames()[2].frame.turn.fills[0].text.contains("8444"));
}

#[test]
fn what_was_done_is_taken_back_one_by_one_or_at_once() {
    let (script, _) = Recording::complete(chat(CHAT)).unwrap().with_act(0, Act::Crunch(None));
    let mut recording = check(script);
    recording.act(Act::Say("which port was staging on?".into()));
    let last = recording.frames().len() - 1;
    let kept: Vec<Act> = recording.without_act(last).acts.into_iter().map(|placed| placed.act).collect();
    assert_eq!(kept, [Act::Crunch(None)]);
    let first = recording.frame_of_act(0).unwrap();
    assert_eq!(recording.without_act(first).acts[0].act, Act::Say("which port was staging on?".into()));
    assert_eq!(recording.without_act(0).acts, []);
}

#[test]
fn real_transcripts_are_recorded_as_the_core_has_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/transcripts");
    let Ok(files) = std::fs::read_dir(&folder) else {
        return println!("{} is not there: no real transcript was recorded", folder.display());
    };
    for file in files.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        if let Ok(transcript) = transcript::read(&std::fs::read(&file).unwrap()) {
            println!("{}", file.display());
            check(Script::new("real", transcript));
        }
    }
}
