// The story that is built into the demo, replayed through the package: the golden file's fourth runner.

/**
 * What differs from the golden file; "" when nothing does.
 * @param {typeof import("diffledger")} diffledger
 * @param {{ story: string, golden: string }} files
 */
export async function difference({ Session }, { story, golden }) {
  const records = story.trim().split("\n").map((line) => JSON.parse(line));
  const session = new Session({ id: "replay" });
  const frames = JSON.parse(golden);
  let end = 0;
  for (const frame of frames) {
    // The host hands over all it has, each time that the user has said something.
    do end += 1; while (end < records.length && said(records[end - 1]) !== frame.said);
    const turn = await session.turn(records.slice(0, end));
    const [found, expected] = [written(turn, frame), JSON.stringify(frame)];
    if (found !== expected) return `turn ${frame.turn}:\n  was ${expected}\n  is  ${found}`;
  }
  const rest = records.slice(end).filter((record) => said(record) !== null);
  session.dispose();
  return rest.length === 0 ? "" : `${rest.length} messages of the user are in no frame`;
}

/** What the user says in a record; null in those of tools and of software. */
function said({ type, isMeta, isCompactSummary, message }) {
  if (type !== "user" || isMeta || isCompactSummary) return null;
  if (typeof message.content === "string") return message.content;
  const texts = message.content.filter((part) => part.type === "text").map((part) => part.text);
  return texts.length > 0 ? texts.join("\n") : null;
}

/** A turn, as the golden file writes it; the order in the log and the message are the frame's own. */
function written({ id, crunch, gaps, unknown, fills, inject }, { seq, said }) {
  return JSON.stringify({
    seq,
    turn: id,
    said,
    ...(crunch && { crunch: {
      kind: crunch.kind,
      id: crunch.id,
      dropped: crunch.dropped.length,
      lost: crunch.lost.length,
      survived: crunch.survived.length,
      first_lost: crunch.lost.slice(0, 20).map((concept, at) => `${crunch.lostKinds[at]}: ${concept}`),
    } }),
    ...(gaps.length > 0 && { gaps: gaps.map(({ concept, kind, state, evidence, status }) => ({ concept, kind, state, rule: evidence.rule, score: evidence.score, status })) }),
    ...(unknown.length > 0 && { unknown }),
    ...(fills.length > 0 && { fills: fills.map(({ text, source, cut, tokens }) => ({ text, seqs: source.seqs, cut, tokens })) }),
    ...(inject && { inject }),
  });
}
