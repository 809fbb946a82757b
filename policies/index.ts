import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies";

new PolicyPack("cloudinfra-policies", { policies, displayName: "Cloud Infrastructure", provider: "cloudinfra" });
