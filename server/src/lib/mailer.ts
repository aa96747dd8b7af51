import type { Transporter } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

/** Sends one mail to one address; rejects with `MailRejected` where repeating is useless. */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/** The server has said no for good: the address does not exist, or the sender may not. */
export class MailRejected extends Error {
  override readonly name = 'MailRejected'
}

const timeoutMs = 10_000
/** One address and nothing else: no list, no comment, no quoted part, no line break. */
const oneAddress = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,189}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a subject must not have
const controls = /[\u0000-\u001f\u007f\u2028\u2029]+/g

/** Through one server, over connections of its own. The library is loaded with the first mail. */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  let transport: Promise<Transporter> | null = null

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0])
  }

  return {
    async send({ to, subject, text }) {
      if (!oneAddress.test(to)) throw new MailRejected('This is no address that mail can be sent to.')
      transport ??= open()
      const mailer = await transport
      try {
        await mailer.sendMail({
          from,
          to: { name: '', address: to },
          subject: subject.replace(controls, ' ').slice(0, 200),
          text,
          headers: { 'auto-submitted': 'auto-generated' },
        })
      } catch (error) {
        const { responseCode, response } = error as { responseCode?: number; response?: string }
        if (responseCode === undefined || responseCode < 500) throw error
        throw new MailRejected(
          (response ?? 'The mail server rejected the mail.').replace(controls, ' ').slice(0, 200),
          {
            cause: error,
          },
        )
      }
    },
    close() {
      void transport?.then((mailer) => mailer.close()).catch(() => {})
    },
  }
}
