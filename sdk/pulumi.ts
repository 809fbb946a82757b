// This file is written by hand. The resource classes in this folder are generated.
/**
 * The part of Pulumi's SDK that the classes and functions use at run time. The index of `@pulumi/pulumi` also loads the
 * Automation API, npm's dependency resolver and TypeScript, so a program that does not import it itself starts 0.2 s
 * faster without it.
 */
export { RunError } from "@pulumi/pulumi/errors";
export { all, isSecret, Output, output, secret } from "@pulumi/pulumi/output";
export { ComponentResource, CustomResource, ProviderResource } from "@pulumi/pulumi/resource";
export { allConfig } from "@pulumi/pulumi/runtime/config";
export { call, invoke, invokeOutput } from "@pulumi/pulumi/runtime/invoke";
export { getMonitor, hasEngine, isDryRun } from "@pulumi/pulumi/runtime/settings";
