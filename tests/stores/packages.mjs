// The sources name a package that the build bundles; run as they are, they find it beside the tests.
import { register } from "node:module";

const hook = `
  export async function resolve(name, context, next) {
    const bare = /^idb$/.test(name);
    return next(name, bare ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
