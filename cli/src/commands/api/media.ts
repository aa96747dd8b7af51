import { createWriteStream, existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { type Command, switchOption, textOption } from '../../command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { explainGateway, gatewayClient, gatewayOptions } from '../../gateway/gateway-client.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import type { Progress } from '../../output/progress.ts'
import { onlyWord, requiredFlag, textFlag } from '../../read-flags.ts'

const anId = 'med_01ka3m7y3t4d0v9v4k6q1t7r2c'

const download: Command = {
  name: 'media download',
  summary: 'Download a file to --out.',
  examples: [`postern media download ${anId} --out photo.jpg`],
  options: {
    out: textOption('The file to write.'),
    force: switchOption('Overwrite an existing file.'),
    ...gatewayOptions,
    json: switchOption('One JSON object on stdout.'),
  },
  async run(invocation) {
    const { flags, positionals, output } = invocation
    const id = onlyWord(positionals, 'the media id')
    const out = requiredFlag(flags, 'out', 'photo.jpg')
    if (existsSync(out) && flags.force !== true)
      throw wrongUsage(`${out} already exists: choose another name, or add --force.`)
    const { client, baseUrl } = await gatewayClient(invocation)
    try {
      const response = await client.media.content(id)
      const total = Number(response.headers.get('content-length') ?? Number.NaN)
      output.progress.step(`Downloading ${basename(out)}`, Number.isNaN(total) ? {} : { total })
      await pipeline(output.progress.counted(Readable.fromWeb(response.body as ReadableStream)), createWriteStream(out))
      output.progress.end()
      output.result({ media_id: id, file: out }, `${out}\n`)
      return exitCodes.ok
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
  },
}

/** `fetch` reads the file as a stream while it sends, so the bytes that were read are the bytes on their way. */
async function countedFile(path: string, name: string, progress: Progress): Promise<File> {
  const file = new File([await openAsBlob(path)], name)
  const bytes = file.stream.bind(file)
  const stream = () => {
    progress.step(`Uploading ${name}`, { total: file.size })
    return ReadableStream.from(progress.counted(bytes()))
  }
  return Object.defineProperty(file, 'stream', { value: stream })
}

export const media: readonly Command[] = [
  gatewayCommand({
    name: 'media upload',
    summary: 'Upload a file for messages. Its id is valid for 30 days.',
    examples: [
      'postern media upload --file invoice.pdf',
      'postern media upload --file /tmp/x --name invoice.pdf --json',
    ],
    options: {
      file: textOption('The file.'),
      name: textOption('The name that customers see. Default: the name of the file.'),
    },
    async call(_, flags, { output }) {
      const file = requiredFlag(flags, 'file', 'invoice.pdf')
      if (!existsSync(file)) throw wrongUsage(`--file: ${file} does not exist.`)
      const form = new FormData()
      const name = textFlag(flags, 'name') ?? basename(file)
      form.set('filename', name)
      form.set('file', await countedFile(file, name, output.progress))
      return { method: 'POST', path: '/v1/chat/media', body: form }
    },
  }),
  gatewayCommand({
    name: 'media get',
    summary: 'Show the type, size and hash of a file.',
    examples: [`postern media get ${anId}`],
    words: ['media id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/media/${id}` }),
  }),
  download,
  gatewayCommand({
    name: 'media delete',
    summary: 'Delete a file.',
    examples: [`postern media delete ${anId} --yes`],
    words: ['media id'],
    warning: 'The file is deleted; the records of messages sent with it stay.',
    call: ([id]) => ({ method: 'DELETE', path: `/v1/chat/media/${id}` }),
  }),
]
