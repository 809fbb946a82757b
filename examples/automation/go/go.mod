module tenants

go 1.25

require (
	github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)

replace github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go => ../sdks/go
