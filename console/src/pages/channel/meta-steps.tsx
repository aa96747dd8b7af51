import type { InputHTMLAttributes, ReactNode } from 'react'
import type { Schemas } from '../../api.ts'
import { Field } from '../../components/form/field.tsx'
import { GuideStep } from './guide-step.tsx'

type Input = InputHTMLAttributes<HTMLInputElement> & { error: string | undefined }
type Props = {
  text(name: 'business_id' | 'phone_number_id' | 'app_id'): Input
  hidden(name: 'access_token' | 'app_secret' | 'pin'): Input
  /** What the checks of these names found. */
  found(...names: string[]): Schemas['ConsoleCheckStep'][]
  /** The operator provides a Meta app, so no secret is needed. */
  hasSharedApp: boolean
}

/** What has to be done on Meta's pages before a number can be connected, and the values to bring along. */
export function MetaSteps({ text, hidden, found, hasSharedApp }: Props) {
  return (
    <>
      <GuideStep number={1} title="Give the gateway a public address" found={found('address')}>
        <p>
          Meta calls this gateway at <code>{window.location.origin}</code>. It needs https, a public host name and a
          publicly trusted certificate; <code>POSTERN_BASE_URL</code> sets it.
        </p>
      </GuideStep>
      <GuideStep number={2} title="Create the app" found={[]}>
        <p>
          In the <Away to="https://developers.facebook.com/apps">App Dashboard</Away>, create an app with the use case{' '}
          <b>Connect with customers through WhatsApp</b>. Open <b>Use cases</b>, <b>Customize</b>, <b>API Setup</b> and
          copy two ids.
        </p>
        <Field label="WhatsApp Business account id" {...text('business_id')} />
        <Field label="Phone number id" hint="Not the phone number itself." {...text('phone_number_id')} />
      </GuideStep>
      <GuideStep number={3} title="Add your phone number" found={found('number')}>
        <p>
          Add it on the same page, or in <b>WhatsApp Manager</b> under <b>Account tools</b>, <b>Phone numbers</b>, and
          verify it with the code that Meta sends. Meta&apos;s test number needs no PIN.
        </p>
        <Field
          label="PIN"
          optional
          hint="Six digits: choose new ones, or use those of its two-step verification. Registers a number that cannot send yet."
          {...hidden('pin')}
          inputMode="numeric"
        />
      </GuideStep>
      <GuideStep number={4} title="Create a token that does not expire" found={found('token', 'permissions')}>
        <p>
          In <b>Business settings</b>, <b>System users</b>: assign your app and your WhatsApp account to a system user,
          then <b>Generate token</b> with <code>whatsapp_business_messaging</code> and{' '}
          <code>whatsapp_business_management</code>. Choose <b>Never</b> as its expiration.
        </p>
        <Field label="Access token" {...hidden('access_token')} />
      </GuideStep>
      <GuideStep number={5} title="Copy the app secret and publish the app" found={found('app_secret')}>
        <p>
          In the App Dashboard, <b>App settings</b>, <b>Basic</b>. Then <b>Publish</b> the app: an unpublished app sends
          messages, but receives no statuses and no replies.
        </p>
        <Field
          label="App secret"
          optional={hasSharedApp}
          hint={
            hasSharedApp ? 'Leave empty to use the app configured for this gateway.' : 'Callbacks are signed with it.'
          }
          {...hidden('app_secret')}
        />
        <Field label="App id" optional hint="Needed only if Meta does not return it." {...text('app_id')} />
      </GuideStep>
    </>
  )
}

/** A page of another site, or a guide, beside this one. */
export function Away({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
