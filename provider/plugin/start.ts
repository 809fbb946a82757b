import "../pulumi/node-version";
import { join } from "node:path";
import { runBundle } from "../pulumi/bundle";
import { keepCompiledCode } from "../pulumi/cache-folder";

keepCompiledCode();
runBundle(join(__dirname, "../../plugin.js"));
