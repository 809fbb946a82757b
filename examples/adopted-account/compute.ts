import * as pulumi from "@pulumi/pulumi";
import {
  Image,
  Instance,
  InstanceConfig,
  InstanceDisk,
  Volume,
} from "pulumi-cloudinfra";

const config = new pulumi.Config();

// The API does not return diskId, which is required only to create the object again.
export const golden = new Image("golden", {
  label: "golden",
});

export const compute993893 = new Instance("compute993893", {
  region: "us-west",
  type: "g6-nanode-1",
  label: "compute993893",
  booted: false,
});

export const compute993894 = new Instance("compute993894", {
  region: "us-west",
  type: "g6-nanode-1",
  label: "compute993894",
  booted: false,
});

export const spare = new Instance("spare", {
  region: "us-east",
  type: "g6-standard-1",
  label: "spare",
  booted: false,
  privateIp: true,
});

export const spareData = new InstanceDisk("spare-data", {
  size: 1024,
  label: "data",
  computeId: spare.id,
});

export const spareRescue = new InstanceConfig("spare-rescue", {
  label: "rescue",
  devices: { sda: { diskId: spareData.id } },
  memoryLimit: 2048,
  computeId: spare.id,
  booted: false,
});

// The API does not return rootPass: pulumi config set --secret webRootPass
export const web = new Instance(
  "web",
  {
    image: "compute/debian11",
    region: "us-east",
    type: "g6-nanode-1",
    label: "web",
    backupsEnabled: true,
    booted: true,
    privateIp: true,
    rootPass: config.requireSecret("webRootPass"),
  },
  { ignoreChanges: ["rootPass"] },
);

export const archive = new Volume("archive", {
  label: "archive",
  region: "eu-central",
  size: 100,
  tags: ["archive", "production"],
});

export const data = new Volume("data", {
  label: "data",
  region: "us-east",
  computeId: web.id,
  tags: ["production"],
});
