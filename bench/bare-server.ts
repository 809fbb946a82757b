import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that does no work for a request. Its response times show how busy the machine is. */
const server = createServer((_request, response) => response.end("{}"));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
