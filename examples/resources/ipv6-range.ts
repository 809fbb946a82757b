import * as pulumi from "@pulumi/pulumi";
import { Ipv6Range } from "pulumi-cloudinfra";

// The range that support has routed to the instance: pulumi config set range 2001:db8:4108::
const range = new pulumi.Config().require("range");

const containers = new Ipv6Range("containers", { range });

export const routedBy = containers.routeTarget;
