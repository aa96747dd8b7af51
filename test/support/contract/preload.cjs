const { subscribe, unsubscribe } = require('node:diagnostics_channel')

// Loaded into every process that a test starts, since a sandbox may run there. The check is loaded with the first
// exchange, and from the bundle: most processes have no sandbox, and one of them may not be able to read TypeScript.
const channels = ['postern.sandbox.call', 'postern.sandbox.callback']

function begin(message, name) {
  for (const channel of channels) unsubscribe(channel, begin)
  const { reportExchange } = require(`${process.env.TEST_PROGRAMS}/hold-exchanges.js`)
  for (const channel of channels) subscribe(channel, reportExchange)
  reportExchange(message, name)
}

if (process.env.TEST_PROGRAMS !== undefined) for (const channel of channels) subscribe(channel, begin)
