import { Volume, VolumeClone } from "pulumi-cloudinfra";

const original = new Volume("original", { region: "eu-central", size: 20 });

// Changing `size` grows the clone in place. Changing `sourceVolumeId` replaces it.
const copy = new VolumeClone("copy", { sourceVolumeId: original.id, size: 40, tags: ["staging"] });

export const copyPath = copy.filesystemPath;
