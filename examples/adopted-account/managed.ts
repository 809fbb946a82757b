import * as pulumi from "@pulumi/pulumi";
import {
  ManagedContact,
  ManagedCredential,
  ManagedService,
} from "pulumi-cloudinfra";

const config = new pulumi.Config();

export const onCall = new ManagedContact("On-call", {
  name: "On call",
  email: "oncall@example.org",
  group: "on-call",
});

// The API does not return password: pulumi config set --secret deploymentPassword
export const deploymentManagedCredential = new ManagedCredential(
  "deployment",
  {
    label: "deployment",
    password: config.requireSecret("deploymentPassword"),
  },
  { ignoreChanges: ["password"] },
);

export const website = new ManagedService("website", {
  label: "website",
  serviceType: "url",
  address: "https://www.example.org",
  timeout: 30,
  consultationGroup: "on-call",
  credentials: [deploymentManagedCredential.id],
});
