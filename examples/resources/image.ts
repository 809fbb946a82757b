import * as pulumi from "@pulumi/pulumi";
import { Image } from "pulumi-cloudinfra";

// A disk image beside the program is stated as `file: "golden.img"`: it is compressed while it is sent. Other content makes
// another image; another name of the file does not.
const golden = new Image("golden", {
  region: "us-east",
  source: new pulumi.asset.StringAsset("what a disk holds"),
  description: "Debian with our certificates",
});

export const id = golden.id;
