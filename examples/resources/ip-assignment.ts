import * as pulumi from "@pulumi/pulumi";
import { Instance, IpAssignment } from "pulumi-cloudinfra";

const region = "eu-central";
const blue = new Instance("blue", { region, type: "g6-nanode-1" });
const green = new Instance("green", { region, type: "g6-nanode-1" });

// To switch traffic to the other instance, swap `first` and `second` below. Both addresses move in one request.
const [first, second] = [blue, green].map(({ ipv4 }) => ipv4.apply(([address = ""]) => address));
new IpAssignment("live", {
  region,
  assignments: [
    { address: pulumi.interpolate`${first}`, computeId: blue.id },
    { address: pulumi.interpolate`${second}`, computeId: green.id },
  ],
});
