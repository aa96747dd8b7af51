import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Page } from '../../components/page.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples, postSamples, tokenSamples } from '../../samples.ts'
import { Changelog } from './changelog.tsx'

/** Quick start with the account's own address and key. Everything here is served by the gateway and works offline. */
export default function HelpPage() {
  const [search] = useSearchParams()
  return search.has('changelog') ? <Changelog /> : <QuickStart />
}

function QuickStart() {
  const world = useSampleWorld()
  const message = { to: '+12025550100', message: 'Hello from Postern' }
  return (
    <Page title="Docs" lead="From zero to a message that a customer has read.">
      <div className="resources">
        <Resource href="/docs" icon="book" title="Guides" text="Sending, templates, webhooks, testing" />
        <Resource
          href="/docs/go-live"
          icon="channel"
          title="Going live"
          text="From a Meta account to your first message"
        />
        <Resource href="/docs/api" icon="book" title="API reference" text="Every endpoint, field and answer" />
        <Resource href="/docs/errors" icon="alert" title="Errors" text="Every code, what it means, what to do" />
        <Resource href="/openapi.json" icon="download" title="OpenAPI document" text="For generators and tools" />
        <Link className="card card-body resource" to="/help?changelog">
          <ResourceText icon="list" title="Changelog">
            What changed with each version
          </ResourceText>
        </Link>
      </div>
      <ol className="steps">
        <li className="stack">
          <h2>Create an API key</h2>
          <p>
            Under <Link to="/api-keys">API Keys</Link>, press Create New API Key. Keep the secret in{' '}
            <code>POSTERN_API_SECRET</code>: it is shown once.
          </p>
        </li>
        <li className="stack">
          <h2>Get an access token</h2>
          <p>A token lives an hour. Keep it and send it with every call.</p>
          <CodeBlock samples={tokenSamples(world)} />
        </li>
        <li className="stack">
          <h2>See who you are</h2>
          <p>Account, scopes, channel and remaining quota, in one call.</p>
          <CodeBlock samples={getSamples(world, '/v1/auth/me')} />
        </li>
        <li className="stack">
          <h2>Send a message</h2>
          <p>
            Text reaches customers who wrote to you within 24 hours. In the sandbox +12025550100 did, reads everything
            and costs nothing.
          </p>
          <CodeBlock samples={postSamples(world, '/v1/chat/messages/send', message)} />
        </li>
      </ol>
    </Page>
  )
}

function Resource({ href, icon, title, text }: { href: string; icon: IconName; title: string; text: string }) {
  return (
    <a className="card card-body resource" href={href}>
      <ResourceText icon={icon} title={title}>
        {text}
      </ResourceText>
    </a>
  )
}

function ResourceText({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <>
      <Icon name={icon} size={20} />
      <span className="stack-tight">
        <strong>{title}</strong>
        <span className="muted">{children}</span>
      </span>
    </>
  )
}
