import * as pulumi from "@pulumi/pulumi";
import { Instance, Volume } from "pulumi-cloudinfra";

// pulumi config set --secret rootPass
const rootPass = new pulumi.Config().requireSecret("rootPass");
const region = "eu-central";

const database = new Instance("database", { region, type: "g6-nanode-1", image: "compute/debian11", rootPass });

// Changing `size` grows the volume in place, and changing `computeId` moves it. Changing `region` replaces it.
const data = new Volume("data", { region, size: 40, computeId: database.id, tags: ["production"] });

export const path = data.filesystemPath;
