import * as pulumi from "@pulumi/pulumi";
import { Instance, InstanceSnapshot } from "pulumi-cloudinfra";

// pulumi config set --secret rootPass
const rootPass = new pulumi.Config().requireSecret("rootPass");

const wiki = new Instance("wiki", {
  region: "eu-central",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass,
  backupsEnabled: true,
});

// Changing the version takes a new snapshot, which replaces this one.
new InstanceSnapshot("wiki-before-upgrade", { computeId: wiki.id, label: "before-upgrade", triggers: ["1.2.0"] });
