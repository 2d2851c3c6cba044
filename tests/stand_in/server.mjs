// A stand-in for Ollama and for a recall store (Hyphae), for tests of the clients: the real
// protocols, invented answers, no model. The first part of a path says how to misbehave, the end
// which interface is asked, what is between tells tests apart: `/stall/7/api/tags`.
//
//   node tests/stand_in/server.mjs [--with-parent]
//
// It says where it listens: on port 8631, or on a free one where that is taken. With
// `--with-parent` it ends when its standard input does, so that no test leaves it behind.
import { createServer } from "node:http";

const PORT = 8631;
/** Requests by what stands between behaviour and interface: how many came, how many are open. */
const seen = new Map();

const interfaces = {
  "/api/version": () => ({ version: "0.0.0-stand-in" }),
  "/api/tags": () => ({
    models: ["qwen3:1.7b", "thoughtless:1b"].map((name) => ({ name, model: name, size: 1, digest: "0", details: {} })),
  }),
  "/api/generate": (body) => {
    if (!body.model) return [400, { error: "missing request body" }];
    if (body.model === "absent:1b") return [404, { error: `model '${body.model}' not found` }];
    if (body.model === "absent:old") return [404, { error: `model "${body.model}" not found, try pulling it first` }];
    if (body.model === "thoughtless:1b" && "think" in body) {
      return [400, { error: `"${body.model}" does not support thinking` }];
    }
    return generated(body, { references: [1], concepts: [] });
  },
  "/api/embed": (body) => {
    const texts = [body.input].flat();
    const embeddings = texts.map((text) => [text.length, 0.5, -1e-3]);
    return { model: body.model, embeddings: body.model === "forgetful:1b" ? embeddings.slice(1) : embeddings };
  },
  "/recall": (body) => {
    if (typeof body.query !== "string" || !Number.isInteger(body.top_k)) {
      return [422, { detail: [{ type: "missing", loc: ["body", "query"], msg: "Field required" }] }];
    }
    // As Hyphae does: up to twice as many as asked for.
    const results = Array.from({ length: 2 * body.top_k }, (_, index) => ({
      id: index === 1 ? index : `id-${index}`,
      text: `${body.query}: text ${index}`,
      score: 0.9 - index / 10,
      cluster_id: 3,
      source: "shard:a",
      tags: { _cross_scope: "true" },
    }));
    delete results[2]?.id;
    return { results };
  },
};

const behaviours = {
  ok: (answer) => answer.json(200, answer.body()),
  /** Tells what came in, as the text of a model. */
  echo: (answer) => answer.json(200, generated(answer.asked, answer.asked)),
  /** Tells what became of the requests with the same tag. */
  seen: (answer) => {
    const { came, open } = seen.get(answer.tag) ?? { came: 0, open: 0 };
    answer.json(200, { version: `came ${came}, open ${open}` });
  },
  silent: () => {},
  stall: (answer) => {
    answer.head(200);
    answer.response.write('{"version": "0.0');
  },
  truncated: (answer) => {
    answer.head(200, { "Content-Length": 1000 });
    answer.response.write('{"version": "0.0', () => setTimeout(() => answer.response.destroy(), 50));
  },
  endless: (answer) => {
    answer.head(200);
    const piece = " ".repeat(65536);
    const write = () => {
      while (!answer.response.destroyed && answer.response.write(piece));
    };
    answer.response.on("drain", write);
    write();
  },
  broken: (answer) => answer.json(500, { error: `no memory left${"!".repeat(1000)}` }),
  brokentruncated: (answer) => {
    answer.head(500, { "Content-Length": 1000 });
    answer.response.write("oops", () => setTimeout(() => answer.response.destroy(), 50));
  },
  badjson: (answer) => answer.text(200, '{"version": '),
  html: (answer) => answer.text(200, "<!doctype html><title>Sign in</title>"),
  latin1: (answer) => answer.text(200, Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])),
  null: (answer) => answer.json(200, { results: null, version: null, models: "none", embeddings: null }),
  error200: (answer) => answer.json(200, { error: "llama runner has ended" }),
  redirect: (answer) => {
    answer.head(307, { Location: answer.path.replace("/redirect/", "/ok/") });
    answer.response.end();
  },
  /** Repeats the key, as some servers do. */
  refuse: (answer) => answer.json(401, { error: `bad ${answer.request.headers.authorization}` }),
  nocors: (answer) => answer.json(200, answer.body()),
};

function generated(body, response) {
  return { model: body.model, created_at: "2026-01-01T00:00:00Z", response: JSON.stringify(response), done: true, done_reason: "stop" };
}

const server = createServer(async (request, response) => {
  const path = request.url;
  const end = Object.keys(interfaces).find((name) => path.endsWith(name)) ?? "";
  const [, name = "ok", ...tags] = path.slice(0, path.length - end.length).split("/");
  const tag = tags.join("/");
  const cors =
    name === "nocors" || !request.headers.origin
      ? {}
      : { "Access-Control-Allow-Origin": request.headers.origin, Vary: "Origin" };
  if (request.method === "OPTIONS") {
    // No header but these: a further one would be refused by Ollama too.
    const allow = { "Access-Control-Allow-Methods": "GET, POST", "Access-Control-Allow-Headers": "authorization, content-type" };
    response.writeHead(name === "nocors" ? 403 : 204, name === "nocors" ? {} : { ...cors, ...allow }).end();
    return;
  }
  if (name !== "seen") {
    const count = seen.get(tag) ?? { came: 0, open: 0 };
    seen.set(tag, { came: count.came + 1, open: count.open + 1 });
    response.on("close", () => (seen.get(tag).open -= 1));
  }
  let text = "";
  for await (const piece of request) text += piece;
  const answer = {
    request,
    response,
    path,
    tag,
    asked: text ? JSON.parse(text) : {},
    head: (status, headers = {}) =>
      response.writeHead(status, { "Content-Type": "application/json", ...cors, ...headers }),
    text: (status, body) => answer.head(status).end(body),
    json: (status, body) => (Array.isArray(body) ? answer.json(...body) : answer.text(status, JSON.stringify(body))),
    body: () => interfaces[end](answer.asked),
  };
  if (!end) answer.text(200, "a stand-in for tests is running");
  else (behaviours[name] ?? ((answer) => answer.text(404, "404 page not found")))(answer);
});

// A request that breaks off while it is read must not end the server.
process.on("unhandledRejection", (error) => console.error(error.message));
server.on("listening", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
server.on("error", (error) => {
  if (error.code !== "EADDRINUSE") throw error;
  server.listen(0, "127.0.0.1");
});
if (process.argv.includes("--with-parent")) process.stdin.on("end", () => process.exit()).resume();
server.listen(PORT, "127.0.0.1");
