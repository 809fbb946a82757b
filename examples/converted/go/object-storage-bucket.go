// Converted from object-storage-bucket.yaml a8ec0abe by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		photos, err := cloudinfra.NewObjectStorageBucket(ctx, "photos", &cloudinfra.ObjectStorageBucketArgs{
			Cluster:      pulumi.String("us-east-1"),
			Acl:          pulumi.String(cloudinfra.ObjectAclPublicRead),
			CorsEnabled:  pulumi.Bool(true),
			ForceDestroy: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("hostname", photos.Hostname)
		return nil
	})
}
