import * as pulumi from "@pulumi/pulumi";
import { Instance, IpAssignment } from "pulumi-cloudinfra";

const region = "eu-central";
const blue = new Instance("blue", { region, type: "g6-nanode-1" });
const green = new Instance("green", { region, type: "g6-nanode-1" });

// To switch traffic to the other instance, replace `first` and `second` below by the two addresses as texts, and swap them. Both
// move in one request. The outputs `ipv4` follow the addresses, so with them, the update after a refresh would move both back.
const [first, second] = [blue, green].map(({ ipv4 }) => ipv4.apply(([address = ""]) => address));
new IpAssignment("live", {
  region,
  assignments: [
    { address: pulumi.interpolate`${first}`, computeId: blue.id },
    { address: pulumi.interpolate`${second}`, computeId: green.id },
  ],
});
