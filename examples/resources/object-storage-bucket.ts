import { ObjectStorageBucket } from "pulumi-cloudinfra";

const photos = new ObjectStorageBucket("photos", {
  cluster: "us-east-1",
  acl: "public-read",
  corsEnabled: true,
  forceDestroy: true,
});

export const hostname = photos.hostname;
