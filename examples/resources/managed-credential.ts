import * as pulumi from "@pulumi/pulumi";
import { ManagedCredential } from "pulumi-cloudinfra";

// pulumi config set --secret supportPass Battery-Staple-7
const password = new pulumi.Config().requireSecret("supportPass");

new ManagedCredential("support", { label: "support", username: "support", password });
