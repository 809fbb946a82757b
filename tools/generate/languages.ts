/** Package names and dependencies of the SDKs that Pulumi generates for Node.js, Python, Go and C#. */
export const languages = (repository: string): Record<string, object> => ({
  nodejs: {
    packageName: "@pulumi-cloudinfra/sdk",
    packageDescription:
      "Generated SDK. Programs in TypeScript and JavaScript should use the package pulumi-cloudinfra.",
    dependencies: { "@pulumi/pulumi": "^3.216.0" },
    respectSchemaVersion: true,
  },
  python: {
    packageName: "pulumi_cloudinfra",
    requires: { pulumi: ">=3.165.0,<4.0.0" },
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: `${repository.replace("https://", "")}/sdks/go/cloudinfra`,
    modulePath: `${repository.replace("https://", "")}/sdks/go`,
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: {
    rootNamespace: "Pulumi",
    namespaces: { cloudinfra: "CloudInfra" },
    packageReferences: { Pulumi: "3.*" },
    respectSchemaVersion: true,
  },
  java: { basePackage: "com.pulumi", buildFiles: "gradle", dependencies: { "com.pulumi:pulumi": "1.0.0" } },
});
