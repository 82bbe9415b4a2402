/** Names of the methods in `apis.json`. */
const NAMES: Readonly<Record<string, string>> = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" };

/** Body of `apis.json`: which APIs there are, by `record/get` and its like (kintone-rest §12). */
export function listApis(
  routes: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Readonly<Record<string, unknown>> {
  const apis: Record<string, { readonly link: string }> = {};
  for (const [path, methods] of routes) {
    for (const method of Object.keys(methods)) {
      const name = `${path.replace(/\.json$/, "")}/${NAMES[method] ?? method.toLowerCase()}`;
      apis[name] = { link: `apis/${name}.json` };
    }
  }
  return { baseUrl: "/k/v1/", apis };
}
