# Converted from volume-attachment.yaml d8bb7303 by `make sdks`.
import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()
root_pass = config.require_secret("rootPass")
player = cloudinfra.Instance("player",
    region="eu-central",
    type="g6-nanode-1",
    image="compute/debian11",
    root_pass=root_pass)
media = cloudinfra.Volume("media",
    region="eu-central",
    size=20)
media_of_player = cloudinfra.VolumeAttachment("mediaOfPlayer",
    volume_id=media.id,
    compute_id=player.id)
pulumi.export("path", media_of_player.filesystem_path)
