use super::*;
use crate::message::Part;

fn message(spec: &str) -> Message {
    let (head, text) = spec.split_once(' ').unwrap_or((spec, ""));
    let (role, id) = head.split_once('#').map_or((head, None), |(role, id)| (role, Some(id.to_owned())));
    let role = match role {
        "s" => Role::System,
        "u" => Role::User,
        "a" => Role::Assistant,
        _ => Role::Tool,
    };
    let mut message = Message::text(role, text);
    message.id = id;
    if role == Role::Tool {
        message.parts = vec![Part::ToolResult { call: "c".into(), text: text.into(), error: false }];
        message.synthetic = is_placeholder(text).then_some(Synthetic::Placeholder);
    }
    message
}

fn check(old: &[&str], new: &[&str], verdict: Verdict, gone: &[u32]) {
    let mut log = Log::default();
    for spec in old {
        log.append(message(spec));
    }
    let array: Vec<Message> = new.iter().map(|spec| message(spec)).collect();
    let view = log.view().to_vec();
    let found = align(&log, &view, &array);
    let seqs: Vec<u32> = found.gone.iter().map(|seq| seq.0).collect();
    assert_eq!((found.verdict, seqs.as_slice()), (verdict, gone), "{old:?} -> {new:?}");
}

use CrunchKind::{Placeholder, Summary as SummaryKind, Vanished};
use Verdict::{Crunch, Edit, Grown, Rewind};

#[test]
fn an_array_that_only_grew_lost_nothing() {
    check(&[], &["u hi"], Grown, &[]);
    check(&["u hi", "a yes"], &["u hi", "a yes", "u more"], Grown, &[]);
    check(&["u hi", "a yes"], &["u  hi ", "a yes\n"], Grown, &[]);
}

#[test]
fn a_tail_that_was_only_removed_or_replaced_is_taken_back() {
    check(&["u one", "a two", "u three"], &["u one", "a two"], Rewind, &[2]);
    check(&["u one", "a two"], &["u one", "a other words entirely"], Rewind, &[1]);
    check(&["u one", "a two", "u fix it", "a done"], &["u one", "a two", "u leave it"], Rewind, &[2, 3]);
    check(&["u one", "a The retr"], &["u one", "a The retry queue holds"], Rewind, &[1]);
    check(&["u fix the parser please"], &["u fix the parser please, now"], Rewind, &[0]);
}

#[test]
fn anything_missing_before_a_later_message_is_a_crunch() {
    check(&["u one", "a two", "u three", "a four"], &["u three", "a four"], Crunch(Vanished), &[0, 1]);
    check(&["u one", "a two", "u three", "a four"], &["u one", "u three", "a four"], Crunch(Vanished), &[1]);
    check(&["s sys", "u one", "a two", "u three", "a four"], &["s sys", "u five"], Crunch(Vanished), &[1, 2, 3, 4]);
    check(&["u one", "a two"], &[], Crunch(Vanished), &[0, 1]);
    check(&["u one", "a two"], &["u unrelated new start"], Crunch(Vanished), &[0, 1]);
}

#[test]
fn a_summary_or_a_placeholder_says_what_sort_of_crunch_it_is() {
    let summary = "u Here is a summary of the conversation to date: we did one and two.";
    check(&["u one", "a two", "u three"], &[summary, "u three"], Crunch(SummaryKind), &[0, 1]);
    check(
        &["u one", "a call", "t long output", "a said"],
        &["u one", "a call", "t [Old tool result content cleared]", "a said"],
        Crunch(Placeholder),
        &[2],
    );
}

#[test]
fn changed_system_text_is_an_edit() {
    check(&["s today is monday", "u one"], &["s today is tuesday", "u one"], Edit, &[0]);
    check(&["s a", "u one"], &["u one", "a two"], Edit, &[0]);
}

#[test]
fn equal_texts_at_different_places_are_different_atoms() {
    check(&["u ok", "a one", "u ok", "a two"], &["u ok", "a two"], Crunch(Vanished), &[0, 1]);
    check(&["u#1 ok", "a#2 one", "u#3 ok", "a#4 two"], &["u#1 ok", "a#4 two"], Crunch(Vanished), &[1, 2]);
}

#[test]
fn a_reused_id_with_other_content_is_not_the_message() {
    let summary = "u#1 Here is a summary of the conversation to date: we did one.";
    check(&["u#1 one", "a#2 two", "u#3 three"], &[summary, "u#3 three"], Crunch(SummaryKind), &[0, 1]);
}

#[test]
fn new_ids_for_the_same_content_change_nothing() {
    check(&["u#1 one", "a#2 two"], &["u#x one", "a#y two", "u#z three"], Grown, &[]);
}

#[test]
fn what_left_and_stands_again_before_what_stayed_is_the_old_atom() {
    let mut log = Log::default();
    for spec in ["u one", "a two", "u three"] {
        log.append(message(spec));
    }
    let found = align(&log, &[Seq(2)], &[message("u one"), message("a two"), message("u three"), message("u one")]);
    assert_eq!(found.atoms, [Some(Seq(0)), Some(Seq(1)), Some(Seq(2)), None]);
    assert_eq!(found.verdict, Grown);
}

#[test]
fn ten_thousand_rewritten_messages_align_at_once() {
    let mut log = Log::default();
    for index in 0..10_000 {
        log.append(message(&format!("u old {index}")));
    }
    let array: Vec<Message> = (0..10_000).map(|index| message(&format!("u new {index}"))).collect();
    let view = log.view().to_vec();
    assert_eq!(align(&log, &view, &array).gone.len(), 10_000);
}

#[test]
fn of_two_equal_texts_the_later_one_stayed() {
    check(&["u ok", "a one", "u ok", "a two"], &["u ok"], Crunch(Vanished), &[0, 1, 3]);
    check(&["u ok", "a one", "u two", "u ok", "a three"], &["u two", "u ok", "u four"], Crunch(Vanished), &[0, 1, 4]);
}

/// The length of the longest common subsequence, by its definition.
fn longest(old: &[u64], new: &[u64]) -> usize {
    let (Some((a, old_rest)), Some((b, new_rest))) = (old.split_first(), new.split_first()) else { return 0 };
    if a == b { 1 + longest(old_rest, new_rest) } else { longest(old_rest, new).max(longest(old, new_rest)) }
}

proptest::proptest! {
    #[test]
    fn what_is_common_is_equal_in_order_and_as_long_as_can_be(
        old in proptest::collection::vec(0_u64..4, 0..9),
        new in proptest::collection::vec(0_u64..4, 0..9),
    ) {
        let places: Vec<(usize, u64)> = new.iter().copied().enumerate().collect();
        let mut pairs = common(&old, &places);
        pairs.sort_unstable();
        assert!(pairs.iter().all(|(a, b)| old[*a] == new[*b]));
        assert!(pairs.is_sorted_by(|one, two| one.0 < two.0 && one.1 < two.1));
        assert_eq!(pairs.len(), longest(&old, &new));
    }
}
