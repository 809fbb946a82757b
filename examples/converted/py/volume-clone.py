# Converted from volume-clone.yaml de0a41b5 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

original = cloudinfra.Volume("original",
    region="eu-central",
    size=20)
copy = cloudinfra.VolumeClone("copy",
    source_volume_id=original.id,
    size=40,
    tags=["staging"])
pulumi.export("copyPath", copy.filesystem_path)
