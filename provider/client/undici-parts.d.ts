// undici's index also loads its fetch, WebSocket and caches, which takes twice as long as loading only the pool. A pool
// that is imported directly can dispatch, but lacks the other methods that the index adds, such as request.
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
