import * as pulumi from "@pulumi/pulumi";
import { Image } from "pulumi-cloudinfra";

// To upload a file next to the program, set `file: "golden.img"`. It is compressed during the upload. Changing the
// content replaces the image; renaming the file does not.
const golden = new Image("golden", {
  region: "us-east",
  source: new pulumi.asset.StringAsset("what a disk holds"),
  description: "Debian with our certificates",
});

export const id = golden.id;
