import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { type Command, textOption } from '../../command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { downloadCommand } from '../../gateway/download-command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import type { Progress } from '../../output/progress.ts'
import { requiredFlag, textFlag } from '../../read-flags.ts'

const anId = 'med_01ka3m7y3t4d0v9v4k6q1t7r2c'

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
  downloadCommand({
    name: 'media download',
    summary: 'Download a file to --out.',
    examples: [`postern media download ${anId} --out photo.jpg`],
    word: 'the media id',
    example: 'photo.jpg',
    call: (id) => ({ method: 'GET', path: `/v1/chat/media/${id}/content` }),
    result: (id) => ({ media_id: id }),
  }),
  gatewayCommand({
    name: 'media delete',
    summary: 'Delete a file.',
    examples: [`postern media delete ${anId} --yes`],
    words: ['media id'],
    warning: 'The file is deleted; the records of messages sent with it stay.',
    call: ([id]) => ({ method: 'DELETE', path: `/v1/chat/media/${id}` }),
  }),
]
