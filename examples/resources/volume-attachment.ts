import * as pulumi from "@pulumi/pulumi";
import { Instance, Volume, VolumeAttachment } from "pulumi-cloudinfra";

// pulumi config set --secret rootPass
const rootPass = new pulumi.Config().requireSecret("rootPass");
const region = "eu-central";

// The volume omits `computeId`, because the attachment manages it.
const media = new Volume("media", { region, size: 20 });
const player = new Instance("player", { region, type: "g6-nanode-1", image: "compute/debian11", rootPass });

const attached = new VolumeAttachment("media-of-player", { volumeId: media.id, computeId: player.id });

export const path = attached.filesystemPath;
