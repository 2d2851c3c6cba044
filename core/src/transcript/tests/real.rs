//! Real files, which stay outside the repository; without them these tests say so and pass.

use super::TOP_LEVEL;
use crate::message::{Part, Role, Synthetic};
use crate::transcript::{Format, Transcript, is_continuation, read};

fn shared(name: &str) -> Option<Transcript> {
    let root =
        std::env::var("DIFFLEDGER_SHARED").unwrap_or_else(|_| format!("{}/../../shared", env!("CARGO_MANIFEST_DIR")));
    let path = format!("{root}/transcripts/{name}");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: {path} is not there");
        return None;
    };
    let file = read(&bytes).unwrap();
    assert_eq!(file.format, Format::SpecStory);
    Some(file)
}

fn count(file: &Transcript, role: Role) -> usize {
    file.messages.iter().filter(|message| message.role == role).count()
}

#[test]
fn real_files_have_the_messages_that_their_readme_counts() {
    for (name, users, agents, crunches) in
        [("one-crunch.md", 43, 323, 1), ("no-crunch.md", 19, 126, 0), ("quotes-the-marker.md", 7, 24, 0)]
    {
        let Some(file) = shared(name) else { continue };
        let sidechain = file.skipped.get("sidechain") as usize;
        assert_eq!(count(&file, Role::User), users, "{name}");
        assert_eq!(count(&file, Role::Assistant) + sidechain, agents, "{name}: {:?}", file.skipped);
        assert_eq!(file.markers.len(), crunches, "{name}");
        assert!(file.skipped.iter().all(|(kind, _)| kind == "sidechain"), "{name}: {:?}", file.skipped);
    }
}

#[test]
fn the_real_compaction_stands_at_its_summary() {
    let Some(file) = shared("one-crunch.md") else { return };
    let summary = &file.messages[file.markers[0].at];
    assert_eq!((summary.role, summary.synthetic), (Role::User, Some(Synthetic::Summary)));
    assert!(is_continuation(&summary.visible()));
}

#[test]
fn in_real_files_each_call_has_its_result_after_it() {
    for name in ["one-crunch.md", "no-crunch.md", "quotes-the-marker.md"] {
        let Some(file) = shared(name) else { continue };
        let mut open = Vec::new();
        for message in &file.messages {
            for part in &message.parts {
                match part {
                    Part::ToolCall { id, .. } => open.push(id.clone()),
                    Part::ToolResult { call, .. } => assert_eq!(open.pop().as_ref(), Some(call), "{name}"),
                    _ => {}
                }
            }
            assert!(message.place < TOP_LEVEL);
        }
        assert!(open.is_empty() && count(&file, Role::Tool) > 0, "{name}");
    }
}
