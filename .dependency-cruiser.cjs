/**
 * Which parts may import which, as checked by `make structure`. Imports of types count as imports. Cycles of imports at run
 * time are checked by .dependency-cruiser.values.cjs.
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: "no-cycle-across-folders",
      comment:
        "Two folders that need each other are one part in two places. Within a folder types may refer to each other.",
      severity: "error",
      from: { path: "^(.+)/[^/]+$" },
      to: { circular: true, via: { pathNot: "^$1/[^/]+$" } },
    },
    {
      name: "files-have-an-order",
      comment: "A reader can start at the file that imports nothing, and each type is where it is first needed.",
      severity: "error",
      from: { path: "^(provider/engine|stack|account|emulator/core)/" },
      to: { circular: true },
    },
    {
      name: "api-imports-nothing",
      comment: "The contract is data, which everything else derives from.",
      severity: "error",
      from: { path: "^api/" },
      to: { path: "^(provider|stack|account|sdk|emulator|drift|import|cli|testing|tools)/" },
    },
    {
      name: "api-by-its-index",
      comment: "Outside api/ the contract is one module, so that its files can move.",
      severity: "error",
      from: { pathNot: "^api/" },
      to: { path: "^api/", pathNot: "^api/index\\.ts$" },
    },
    {
      name: "drawing-imports-nothing",
      comment: "It runs in browsers, and the report and the console give it all it needs.",
      severity: "error",
      from: { path: "^drawing/" },
      to: { path: "^(?!drawing/)[^/]+/" },
    },
    {
      name: "console-imports-drawing-and-types",
      comment: "The console is a page in a browser. Of the emulator it knows only what the emulator sends.",
      severity: "error",
      from: { path: "^console/" },
      to: {
        path: "^(api|provider|stack|account|sdk|drift|import|cli|testing|tools|emulator)/",
        pathNot: "^emulator/(console|core)/",
      },
    },
    {
      name: "console-runs-no-code-of-the-emulator",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^emulator/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "console-is-only-bundled",
      severity: "error",
      from: { pathNot: "^console/" },
      to: { path: "^console/" },
    },
    {
      name: "emulator-imports-only-api",
      comment: "An emulator that shared code with the provider would share its mistakes, and prove nothing.",
      severity: "error",
      from: { path: "^emulator/" },
      to: { path: "^(provider|stack|account|sdk|drawing|drift|import|cli|testing|tools)/" },
    },
    {
      name: "provider-imports-only-api",
      comment: "The provider works against the real service; what it needs of the emulator is for tests.",
      severity: "error",
      from: { path: "^(provider|sdk)/" },
      to: { path: "^(stack|account|emulator|drift|import|cli|testing|tools)/" },
    },
    {
      name: "stack-and-account-know-no-command",
      comment: "Drift, import, adopt and migrate work on a stack and an account, which are the same for all of them.",
      severity: "error",
      from: { path: "^(stack|account)/" },
      to: { path: "^(sdk|emulator|drift|import|cli|testing|tools)/" },
    },
    {
      name: "policies-import-nothing",
      comment: "The policy pack is a package of its own. What it knows about the kinds is generated into it.",
      severity: "error",
      from: { path: "^policies/" },
      to: { path: "^(?!policies/|node_modules/)[^/]+/" },
    },
    {
      name: "policies-are-used-by-nothing",
      severity: "error",
      from: { pathNot: "^(policies|test)/" },
      to: { path: "^policies/" },
    },
    {
      name: "providers-do-not-know-each-other",
      comment: "The parts that the dynamic provider and the plugin share are in provider/pulumi/.",
      severity: "error",
      from: { path: "^provider/(dynamic|plugin|pulumi)/" },
      to: { path: "^provider/(dynamic|plugin)/", pathNot: "^provider/$1/" },
    },
    {
      name: "stack-and-account-do-not-know-each-other",
      comment: "A stack is what Pulumi's state says, an account what the API lists; the commands compare the two.",
      severity: "error",
      from: { path: "^(stack|account)/" },
      to: { path: "^(stack|account)/", pathNot: "^$1/" },
    },
    {
      name: "drift-and-import-are-libraries",
      comment: "They work on what they are given; files, arguments and the Pulumi CLI are the commands'.",
      severity: "error",
      from: { path: "^(drift|import)/" },
      to: { path: "^(sdk|emulator|cli|testing|tools)/" },
    },
    {
      name: "drift-and-import-do-not-know-each-other",
      comment: "Both read the account by account/ and the state by stack/.",
      severity: "error",
      from: { path: "^(drift|import)/" },
      to: { path: "^(drift|import)/", pathNot: "^$1/" },
    },
    {
      name: "engine-knows-no-kind",
      comment: "The engine sees definitions, and calls the API by the client.",
      severity: "error",
      from: { path: "^provider/engine/" },
      to: { path: "^provider/", pathNot: "^provider/(engine|client)/" },
    },
    {
      name: "emulator-core-knows-no-area",
      comment: "World, store, clock, jobs and events work with any tables.",
      severity: "error",
      from: { path: "^emulator/core/" },
      to: { path: "^emulator/", pathNot: "^emulator/core/" },
    },
    {
      name: "emulator-http-knows-no-area",
      comment: "Routing, parsing and the control interface get areas by the list in emulator/areas/index.ts.",
      severity: "error",
      from: { path: "^emulator/http/" },
      to: { path: "^emulator/", pathNot: "^emulator/(core|http)/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^tools/site/dist/" },
  },
};
