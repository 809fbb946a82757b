import * as pb from "@pulumi/pulumi/proto/provider_pb";

// Pulumi requires the same values in both responses. Inputs contain the ids of other resources, not references.

export const handshakeResponse = (): pb.ProviderHandshakeResponse =>
  new pb.ProviderHandshakeResponse()
    .setAcceptSecrets(true)
    .setAcceptResources(false)
    .setAcceptOutputs(false)
    .setSupportsAutonamingConfiguration(true);

export const configureResponse = (): pb.ConfigureResponse =>
  new pb.ConfigureResponse()
    .setAcceptsecrets(true)
    .setAcceptresources(false)
    .setAcceptoutputs(false)
    .setSupportsAutonamingConfiguration(true)
    .setSupportspreview(true);
