export { Database, type DatabaseArgs } from "./database";
export { WebService, type WebServiceArgs } from "./web-service";
