// Runs before the first paint, so that a chosen theme never flashes. Reading storage throws where cookies are blocked.
try {
  const { theme } = JSON.parse(localStorage.getItem('postern.preferences') || '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
