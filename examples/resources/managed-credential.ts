import * as pulumi from "@pulumi/pulumi";
import { ManagedCredential } from "pulumi-cloudinfra";

// pulumi config set --secret supportPass
const password = new pulumi.Config().requireSecret("supportPass");

new ManagedCredential("support", { label: "support", username: "support", password });
