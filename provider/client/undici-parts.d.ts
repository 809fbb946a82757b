// undici's index also loads its fetch, WebSocket and caches, which take twice as long as a pool. A pool from here can dispatch; the
// index adds its other methods, such as request.
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
