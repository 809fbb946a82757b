// Converted from object-storage-key.yaml feb947eb by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		logs, err := cloudinfra.NewObjectStorageBucket(ctx, "logs", &cloudinfra.ObjectStorageBucketArgs{
			Cluster: pulumi.String("us-east-1"),
		})
		if err != nil {
			return err
		}
		logWriter, err := cloudinfra.NewObjectStorageKey(ctx, "logWriter", &cloudinfra.ObjectStorageKeyArgs{
			Label: pulumi.String("log-writer"),
			BucketAccess: cloudinfra.ObjectBucketAccessArray{
				&cloudinfra.ObjectBucketAccessArgs{
					Cluster:     logs.Cluster,
					BucketName:  logs.Label,
					Permissions: pulumi.String(cloudinfra.ObjectBucketAccessPermissionsReadWrite),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("accessKey", logWriter.AccessKey)
		ctx.Export("secretKey", logWriter.SecretKey)
		return nil
	})
}
