//! Claude Code's session files: branches, sub-agents, compactions, labels.

use serde_json::{Value, json};

use super::{format, markers, outline, skipped, transcript};
use crate::transcript::{Format, is_continuation, read_messages};

/// A record: uuid, the record before it, type, content, and what else it says.
fn record(uuid: &str, parent: &str, kind: &str, content: Value, more: Value) -> Value {
    let parent = if parent.is_empty() { Value::Null } else { json!(parent) };
    let mut record = json!({"uuid": uuid, "parentUuid": parent, "type": kind, "message": {"content": content}});
    for (name, value) in more.as_object().unwrap() {
        match name.as_str() {
            "id" | "model" => record["message"][name] = value.clone(),
            _ => record[name] = value.clone(),
        }
    }
    record
}

fn user(uuid: &str, parent: &str, text: &str) -> Value {
    record(uuid, parent, "user", json!(text), json!({}))
}

fn answer(uuid: &str, parent: &str, text: &str) -> Value {
    record(uuid, parent, "assistant", json!([{"type": "text", "text": text}]), json!({"id": format!("msg-{uuid}")}))
}

fn call(uuid: &str, parent: &str, id: &str, tool: &str) -> Value {
    let block = json!([{"type": "tool_use", "id": tool, "name": "Bash", "input": {}}]);
    record(uuid, parent, "assistant", block, json!({ "id": id }))
}

fn result(uuid: &str, parent: &str, tool: &str) -> Value {
    let block = json!([{"type": "tool_result", "tool_use_id": tool, "content": "ok"}]);
    record(uuid, parent, "user", block, json!({"toolUseResult": {"stdout": "ok"}}))
}

fn boundary(uuid: &str, logical: &str, metadata: Value) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": uuid, "parentUuid": null,
        "logicalParentUuid": logical, "content": "Conversation compacted", "compactMetadata": metadata})
}

fn summary(uuid: &str, parent: &str) -> Value {
    record(uuid, parent, "user", json!("The talk was about ports."), json!({"isCompactSummary": true}))
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// The texts of the messages, shortly.
fn texts(records: &[Value]) -> Vec<String> {
    let lines = lines(records);
    outline(&lines).iter().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

#[test]
fn messages_stand_among_bookkeeping_that_is_counted() {
    let input = lines(&[
        json!({"type": "summary", "summary": "Ports", "leafUuid": "a"}),
        user("u", "", "which port?"),
        json!({"type": "progress", "uuid": "p", "parentUuid": "u", "data": {}}),
        answer("a", "p", "8443"),
        json!({"type": "attachment", "uuid": "t", "parentUuid": "a", "attachment": {"type": "todo"}}),
        json!({"type": "hologram", "uuid": "h", "parentUuid": "t"}),
        json!({"type": "system", "subtype": "turn_duration", "uuid": "s", "parentUuid": "h"}),
        json!({"uuid": "n"}),
        json!({"type": "user", "uuid": "e", "parentUuid": "s"}),
    ]);
    assert_eq!(outline(&input), ["1 user u: which port?", "3 assistant a: 8443"]);
    assert_eq!(format(&input), Format::ClaudeCode);
    let counts = "recordType:attachment:todo 1, recordType:hologram 1, recordType:none 1, recordType:progress 1, \
        recordType:summary 1, recordType:system:turn_duration 1, recordType:user without content 1";
    assert_eq!(skipped(&input), counts);
}

#[test]
fn a_file_of_bookkeeping_alone_is_an_empty_conversation() {
    let input = lines(&[json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}})]);
    assert_eq!((format(&input), outline(&input).len()), (Format::ClaudeCode, 0));
}

#[test]
fn pieces_of_one_answer_are_one_message_and_repeats_are_left_out() {
    let text = json!([{"type": "text", "text": "I look."}]);
    let both =
        json!([{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}]);
    let records = [
        user("u", "", "look"),
        record("a1", "u", "assistant", text, json!({"id": "m"})),
        record("a2", "a1", "assistant", both, json!({"id": "m"})),
        result("r1", "a2", "t1"),
        call("a3", "r1", "m", "t1"),
        call("a4", "a3", "m", "t2"),
        result("r2", "a4", "t2"),
    ];
    let expected = [
        "user u: look",
        "assistant a1: I look. + Bash(t1)={} + Bash(t2)={}",
        "tool r1: result(t1)=ok",
        "tool r2: result(t2)=ok",
    ];
    assert_eq!(texts(&records), expected);
}

#[test]
fn a_branch_that_was_left_is_out() {
    let records = [
        user("u1", "", "hi"),
        answer("a1", "u1", "hello"),
        user("u2", "a1", "wrong way"),
        call("a2", "u2", "m2", "t"),
        result("r2", "a2", "t"),
        user("u3", "a1", "right way"),
        answer("a3", "u3", "yes"),
    ];
    assert_eq!(texts(&records), ["user u1: hi", "assistant a1: hello", "user u3: right way", "assistant a3: yes"]);
    assert_eq!(skipped(&lines(&records)), "otherBranch 3");
}

#[test]
fn going_back_to_the_first_message_leaves_all_the_rest() {
    let records = [user("u1", "", "hi"), answer("a1", "u1", "hello"), user("u2", "", "hi again")];
    assert_eq!(texts(&records), ["user u2: hi again"]);
}

#[test]
fn results_of_parallel_calls_are_kept_whichever_of_them_is_followed() {
    for last in ["r1", "r2"] {
        let records = [
            user("u", "", "go"),
            call("a1", "u", "m", "t1"),
            call("a2", "a1", "m", "t2"),
            result("r1", "a1", "t1"),
            result("r2", "a2", "t2"),
            answer("a3", last, "done"),
        ];
        let expected = [
            "user u: go",
            "assistant a1: Bash(t1)={} + Bash(t2)={}",
            "tool r1: result(t1)=ok",
            "tool r2: result(t2)=ok",
            "assistant a3: done",
        ];
        assert_eq!(texts(&records), expected, "{last}");
        assert_eq!(skipped(&lines(&records)), "");
    }
}

#[test]
fn of_two_results_of_one_call_the_branch_has_its_own() {
    let records = [
        user("u", "", "go"),
        call("a", "u", "m", "t"),
        result("r1", "a", "t"),
        answer("x", "r1", "bad"),
        result("r2", "a", "t"),
        answer("y", "r2", "good"),
    ];
    let expected = ["user u: go", "assistant a: Bash(t)={}", "tool r2: result(t)=ok", "assistant y: good"];
    assert_eq!(texts(&records), expected);
}

#[test]
fn records_of_sub_agents_are_out_unless_the_file_is_theirs() {
    let mut sub = user("s", "", "sub task");
    sub["isSidechain"] = json!(true);
    let stream = record("v", "", "assistant", json!("sub"), json!({"parent_tool_use_id": "t"}));
    let records = [user("u", "", "go"), sub.clone(), stream, answer("a", "u", "done")];
    assert_eq!(texts(&records), ["user u: go", "assistant a: done"]);
    assert_eq!(skipped(&lines(&records)), "sidechain 2");
    assert_eq!(texts(&[sub]), ["user s: sub task"]);
}

#[test]
fn a_uuid_counts_once() {
    let records = [user("u", "", "go"), answer("a", "u", "done"), user("u", "", "go"), answer("a", "u", "done")];
    assert_eq!(texts(&records), ["user u: go", "assistant a: done"]);
    assert_eq!(skipped(&lines(&records)), "duplicate 2");
}

#[test]
fn a_boundary_and_its_summary_are_one_compaction() {
    let records = [
        user("u", "", "go"),
        answer("a", "u", "done"),
        boundary("b", "a", json!({"trigger": "auto", "preTokens": 9})),
        summary("s", "b"),
        answer("a2", "s", "on"),
    ];
    let input = lines(&records);
    assert_eq!(markers(&input), ["2 kept []"]);
    assert_eq!(transcript(&input).markers[0].id, "b");
    assert_eq!(texts(&records)[2], "user Summary s: The talk was about ports.");
    assert_eq!(skipped(&input), "");
    assert_eq!(transcript(&input), read_messages(&records).unwrap());
}

#[test]
fn a_boundary_may_lack_metadata_link_and_summary_and_a_summary_its_boundary() {
    let mut bare = boundary("b", "", json!(null));
    bare.as_object_mut().unwrap().remove("compactMetadata");
    bare.as_object_mut().unwrap().remove("logicalParentUuid");
    let records = [user("u", "", "go"), bare, answer("a", "b", "done")];
    assert_eq!((texts(&records).len(), markers(&lines(&records))), (2, vec!["1 kept []".to_owned()]));

    let records = [user("u", "", "go"), summary("s", ""), answer("a", "s", "done")];
    assert_eq!((texts(&records).len(), markers(&lines(&records))), (3, vec!["1 kept []".to_owned()]));
    assert_eq!(transcript(&lines(&records)).markers[0].id, "s");
}

#[test]
fn a_continuation_without_flags_is_found_by_its_sentence() {
    let text = "This session is being continued from a previous conversation that ran out of context.\nPorts.";
    assert!(is_continuation(text));
    let records = [user("u", "", "go"), user("s", "", text), answer("a", "s", text)];
    assert_eq!(markers(&lines(&records)), ["1 kept []"]);
    assert_eq!(texts(&records).len(), 3);
}

#[test]
fn what_a_compaction_kept_is_listed_in_either_spelling() {
    let chain = [user("u", "", "go"), answer("a1", "u", "one"), user("u2", "a1", "two"), answer("a2", "u2", "three")];
    let segment = json!({"preservedSegment": {"headUuid": "u2", "anchorUuid": "s", "tailUuid": "a2"}});
    let uuids = json!({"preservedMessages": {"anchorUuid": "s", "uuids": ["u2", "a2", "gone"]}});
    for metadata in [segment, uuids] {
        // The next message hangs on the summary, or goes on from what was kept.
        for parent in ["s", "a2"] {
            let tail = [boundary("b", "a2", metadata.clone()), summary("s", "b"), user("u3", parent, "on")];
            let records = [&chain[..], &tail[..]].concat();
            assert_eq!(markers(&lines(&records)), ["4 kept [2, 3]"], "{parent} {metadata}");
            assert_eq!(texts(&records).len(), 6);
        }
    }
}

#[test]
fn a_boundary_that_only_records_going_back_is_no_compaction() {
    let metadata = json!({"durationMs": 0, "preservedSegment": {"headUuid": "u", "anchorUuid": "b", "tailUuid": "a1"}});
    let records = [
        user("u", "", "go"),
        answer("a1", "u", "one"),
        user("u2", "a1", "wrong"),
        boundary("b", "u2", metadata),
        user("u3", "b", "right"),
    ];
    assert_eq!(markers(&lines(&records)), [""; 0]);
    assert_eq!(texts(&records), ["user u: go", "assistant a1: one", "user u3: right"]);
    assert_eq!(skipped(&lines(&records)), "otherBranch 1, rewindBoundary 1");
}

#[test]
fn a_compaction_on_a_branch_that_was_left_is_none() {
    let records = [
        user("u", "", "go"),
        answer("a", "u", "one"),
        user("u2", "a", "two"),
        boundary("b", "u2", json!({})),
        summary("s", "b"),
        user("u3", "a", "other"),
    ];
    assert_eq!(markers(&lines(&records)), [""; 0]);
    assert_eq!(texts(&records), ["user u: go", "assistant a: one", "user u3: other"]);
}

#[test]
fn history_that_is_written_again_by_a_second_compaction_loses_nothing() {
    let records = [
        user("u1", "", "one"),
        answer("a1", "u1", "two"),
        boundary("b1", "a1", json!({})),
        summary("s1", "b1"),
        user("u2", "s1", "three"),
        answer("a2", "u2", "four"),
        user("u1", "", "one"),
        answer("a1", "u1", "two"),
        json!({"type": "system", "subtype": "stop_hook_summary", "uuid": "h", "parentUuid": "a1"}),
        boundary("b2", "h", json!({"preservedSegment": {"headUuid": "a2", "anchorUuid": "s2", "tailUuid": "h"}})),
        summary("s2", "b2"),
        user("u3", "s2", "five"),
    ];
    assert_eq!(texts(&records).len(), 7);
    assert_eq!(markers(&lines(&records)), ["2 kept []", "5 kept [4]"]);
}

#[test]
fn a_link_to_a_record_that_was_never_written_leads_to_the_message_before() {
    let records = [user("u", "", "go"), answer("a", "u", "one"), user("u2", "lost", "two")];
    assert_eq!(texts(&records).len(), 3);
}

#[test]
fn links_in_a_circle_end() {
    assert_eq!(texts(&[user("u", "a", "go"), answer("a", "u", "one"), user("x", "x", "self")]).len(), 1);
    assert_eq!(texts(&[user("u", "a", "go"), answer("a", "u", "one")]).len(), 2);
}

#[test]
fn a_stream_without_links_is_read_in_order() {
    let input = lines(&[
        json!({"type": "system", "subtype": "init", "session_id": "x"}),
        json!({"type": "user", "session_id": "x", "message": {"role": "user", "content": "go"}}),
        json!({"type": "assistant", "uuid": "a", "message": {"id": "m", "content": [{"type": "text", "text": "one"}]}}),
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "b",
            "compact_metadata": {"pre_tokens": 9, "preserved_messages": {"anchor_uuid": "b", "uuids": ["a"]}}}),
        json!({"type": "conversation_reset", "trigger": "clear", "session_id": "x"}),
        json!({"type": "result", "session_id": "x"}),
    ]);
    assert_eq!(outline(&input), ["1 user: go", "2 assistant a: one"]);
    assert_eq!(markers(&input), ["2 kept [1]", "2 kept []"]);
    assert_eq!(transcript(&input).markers[1].id, transcript(&input).markers[1].id);
}

#[test]
fn what_the_program_wrote_itself_is_labelled() {
    let meta = record("m", "u", "user", json!("Use the skill so."), json!({"isMeta": true}));
    let shown = record("v", "m", "user", json!("shown"), json!({"isVisibleInTranscriptOnly": true}));
    let command = user("c", "v", "<command-name>/model</command-name>");
    let local =
        json!({"type": "system", "subtype": "local_command", "uuid": "l", "parentUuid": "c", "content": "Set."});
    let failed = record("f", "l", "assistant", json!("API Error"), json!({"model": "<synthetic>"}));
    let typed = |uuid: &str, parent: &str, mode: &str| {
        json!({"type": "attachment", "uuid": uuid, "parentUuid": parent,
            "attachment": {"type": "queued_command", "prompt": "and the port", "commandMode": mode}})
    };
    let records =
        [user("u", "", "go"), meta, shown, command, local, failed, typed("q", "f", "prompt"), typed("n", "q", "other")];
    let expected = [
        "user u: go",
        "user Reminder m: Use the skill so.",
        "user Notice v: shown",
        "user Notice c: <command-name>/model</command-name>",
        "system Notice l: Set.",
        "assistant Notice f: API Error",
        "user q: and the port",
        "user Reminder n: and the port",
    ];
    assert_eq!(texts(&records), expected);
}

#[test]
fn a_broken_line_costs_itself_and_blank_lines_count_as_places() {
    let input = format!("{{\"type\": \"us\n\n{}\nnull\n{}", user("u", "", "go"), answer("a", "u", "done"));
    assert_eq!(outline(&input), ["2 user u: go", "4 assistant a: done"]);
    assert_eq!(skipped(&input), "brokenLine 2");
}
