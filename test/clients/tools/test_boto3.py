import json
from unittest import TestCase
from urllib.request import Request, urlopen

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from cloud import ORIGIN, TOKEN


def post(path, body):
    headers = {"authorization": "Bearer " + TOKEN, "content-type": "application/json"}
    with urlopen(Request(ORIGIN + "/v4" + path, json.dumps(body).encode(), headers)) as response:
        return json.load(response)


class ObjectTest(TestCase):
    def setUp(self):
        key = post("/object-storage/keys", {"label": "s3"})
        self.s3 = boto3.client(
            "s3",
            endpoint_url=ORIGIN + "/objects/us-east-1",
            aws_access_key_id=key["access_key"],
            aws_secret_access_key=key["secret_key"],
            region_name="us-east-1",
            config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
        )

    def test_bucket_with_objects(self):
        post("/object-storage/buckets", {"label": "photos", "region": "us-east"})
        self.s3.put_object(Bucket="photos", Key="a b/ü.txt", Body=b"hello", ContentType="text/plain")
        read = self.s3.get_object(Bucket="photos", Key="a b/ü.txt")
        self.assertEqual((read["Body"].read(), read["ContentType"]), (b"hello", "text/plain"))
        self.assertEqual(self.s3.head_object(Bucket="photos", Key="a b/ü.txt")["ContentLength"], 5)
        for at in range(3):
            self.s3.put_object(Bucket="photos", Key="list/%d" % at, Body=b"x" * at)
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="photos", Prefix="list/", MaxKeys=2)
        self.assertEqual([one["Key"] for page in pages for one in page["Contents"]], ["list/0", "list/1", "list/2"])
        with self.assertRaises(ClientError) as refused:
            self.s3.delete_bucket(Bucket="photos")
        self.assertEqual(refused.exception.response["Error"]["Code"], "BucketNotEmpty")
        for key in ["a b/ü.txt", "list/0", "list/1", "list/2"]:
            self.s3.delete_object(Bucket="photos", Key=key)
        self.s3.delete_bucket(Bucket="photos")
        self.assertEqual(self.s3.list_buckets()["Buckets"], [])

    def test_signed_url(self):
        self.s3.create_bucket(Bucket="shared")
        self.s3.put_object(Bucket="shared", Key="page.html", Body=b"<p>hi</p>")
        link = self.s3.generate_presigned_url("get_object", {"Bucket": "shared", "Key": "page.html"}, ExpiresIn=60)
        with urlopen(link) as response:
            self.assertEqual(response.read(), b"<p>hi</p>")
        self.s3.delete_object(Bucket="shared", Key="page.html")
        self.s3.delete_bucket(Bucket="shared")
