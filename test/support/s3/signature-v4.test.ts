import { expect, test } from 'vitest'
import { readAuthorization, signatureOf } from './signature-v4.ts'

/** Published by Amazon with the specification, with keys of nobody. */
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'
const common = { host: 'examplebucket.s3.amazonaws.com', 'x-amz-date': '20130524T000000Z' }

test.each([
  [
    'a GET with a range',
    {
      method: 'GET',
      target: '/test.txt',
      headers: {
        ...common,
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    },
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a PUT of a name with a character that must be encoded',
    {
      method: 'PUT',
      target: '/test$file.text',
      headers: {
        ...common,
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
    },
    'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
])('%s has the signature that the specification gives for it', (_, request, names, signature) => {
  const header = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`
  const authorization = readAuthorization(header)
  expect(authorization).toMatchObject({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: 'us-east-1', service: 's3' })
  if (authorization) expect(signatureOf(request, authorization, secret)).toBe(signature)
})
