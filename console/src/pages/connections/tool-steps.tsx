import type { ReactNode } from 'react'
import { CopyText } from '../../components/form/copy.tsx'
import type { Connection } from './connection-state.tsx'

type Steps = { guide: string; guideTitle: string; steps: readonly ReactNode[] }

/** What to do in each tool, in its own words. The guide says why. */
export function stepsOf(connection: Connection): Steps {
  const { tool, address, numbers } = connection
  const numberId = numbers[0]?.phone_number_id ?? 'PHONE_NUMBER_ID'
  const value = (text: string, what = 'value') => <CopyText text={text} what={what} />
  switch (tool) {
    case 'chatwoot':
      return {
        guide: 'chatwoot',
        guideTitle: 'Chatwoot behind Postern',
        steps: [
          <>
            Set this for Chatwoot&apos;s web and worker processes, and restart them:{' '}
            {value(`WHATSAPP_CLOUD_BASE_URL=${address}`)}
          </>,
          <>
            In Chatwoot, add an inbox: WhatsApp, then WhatsApp Cloud. Enter the phone number, the phone number ID and
            the business account ID shown here; the API key is the token.
          </>,
          <>
            Chatwoot now calls Meta at a fixed address, is rejected there, and asks you to reauthorize the inbox. Until
            you do, it ignores all messages: open Settings › Configuration of the inbox, paste the token again as API
            key, and update.
          </>,
          <>
            The same page of Chatwoot shows a webhook verify token. Enter it below with the callback address, which is
            this with your own host:{' '}
            {value(`https://chatwoot.example.com/webhooks/whatsapp/${numbers[0]?.phone_number ?? '+15550783881'}`)}
          </>,
          <>To show messages from others in Chatwoot, turn on echoes under Options.</>,
        ],
      }
    case 'typebot':
      return {
        guide: 'more-tools',
        guideTitle: 'Typebot, Evolution API and others',
        steps: [
          <>
            Set this for Typebot&apos;s viewer and builder, and restart them:{' '}
            {value(`WHATSAPP_CLOUD_API_URL=${address}`)}
          </>,
          <>In Typebot, add WhatsApp credentials: paste the token and the phone number ID shown here.</>,
          <>
            Typebot shows a callback URL and a verify token. Enter both below. The verify token works only once: if the
            handshake fails, let Typebot create another one.
          </>,
        ],
      }
    case 'evolution':
      return {
        guide: 'more-tools',
        guideTitle: 'Typebot, Evolution API and others',
        steps: [
          <>Set this for Evolution API, and restart it: {value(`WA_BUSINESS_URL=${address}`)}</>,
          <>
            Create an instance with the integration WHATSAPP-BUSINESS: the token, the phone number ID as number, and the
            business account ID as businessId.
          </>,
          <>
            Enter below the callback address https://your-host/webhook/meta and the value of WA_BUSINESS_TOKEN_WEBHOOK
            as verify token.
          </>,
        ],
      }
    case 'n8n':
      return {
        guide: 'n8n',
        guideTitle: 'n8n behind Postern',
        steps: [
          <>
            To send, add an HTTP Request node: POST {value(`${address}/v26.0/${numberId}/messages`)} with the credential
            type WhatsApp API and the token as access token.
          </>,
          <>
            To receive, add a Webhook node for GET and POST that responds to GET with the query parameter hub.challenge.
          </>,
          <>Enter the production URL of that node below as callback address.</>,
          <>The guide shows how to use the WhatsApp nodes unchanged instead.</>,
        ],
      }
    case 'pywa':
      return {
        guide: 'pywa',
        guideTitle: 'pywa behind Postern',
        steps: [
          <>Give WhatsApp() a session whose transport leads here; the guide has its eight lines.</>,
          <>Pass the token, the phone number ID, the app id and the app secret shown here, and timeout=15.</>,
          <>
            pywa sets its own callback address at its start. List its host under Options › Hosts first, or enter the
            address below.
          </>,
        ],
      }
    case 'generic':
      return {
        guide: 'more-tools',
        guideTitle: 'Typebot, Evolution API and others',
        steps: [
          <>
            Use this as the base address of Meta&apos;s Graph API, with or without a version:{' '}
            {value(address, 'address')}
          </>,
          <>Use the token as access token. Phone number IDs and business account IDs stay as they are.</>,
          <>Use the app secret to check signatures, and enter the tool&apos;s callback address below.</>,
        ],
      }
  }
}
