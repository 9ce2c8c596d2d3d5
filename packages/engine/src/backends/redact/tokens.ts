/**
 * Tokens by the shape that their services give them. Every unbounded repetition ends its pattern or is followed by a
 * character that it cannot match itself.
 */
const VENDOR_TOKENS: readonly string[] = [
  'sk-[A-Za-z0-9_-]{20,}', // OpenAI, Anthropic, OpenRouter
  '[sr]k_[A-Za-z0-9_]{16,}', // Stripe, DeepInfra
  'whsec_[A-Za-z0-9+/=]{16,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}', // AWS
  'ABSK[A-Za-z0-9+/=]{40,}', // AWS Bedrock
  'gh[a-z]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl[a-z]{2,4}-[A-Za-z0-9_-]{20,}', // GitLab
  'xox[a-z]-[A-Za-z0-9-]{10,}', // Slack
  'xapp-[A-Za-z0-9-]{10,}',
  'AIza[A-Za-z0-9_-]{30,}', // Google
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
  'SK[0-9a-f]{32}', // Twilio
  'key-[0-9a-f]{32}', // Mailgun
  '[0-9a-f]{32}-us\\d{1,2}', // Mailchimp
  'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}', // Brevo
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[A-Za-z0-9_-]{40,}',
  'rubygems_[0-9a-f]{32,}',
  'oy2[a-z0-9]{43}', // NuGet
  'dckr_[a-z]{3}_[A-Za-z0-9_-]{20,}', // Docker Hub
  'AKC[A-Za-z0-9]{60,}', // Artifactory
  '(?:hf|gsk|r8|lin_api|ntn|sbp|sb_secret|nfp|glsa|glc|dop_v1|doo_v1|dor_v1|sntrys|sntryu)_[A-Za-z0-9_=-]{16,}',
  '(?:pscale_tkn|pscale_pw|pscale_oauth|figd|napi|pcsk|lsv2_pt|lsv2_sk|tgp_v1|fw|vercel_blob_rw|re)_[A-Za-z0-9_.-]{20,}',
  '(?:CCIPAT|bkua|pnu|tfp|duffel_live|duffel_test|shippo_live|shippo_test|rzp_live|rzp_test|fo1)_[A-Za-z0-9_-]{14,}',
  'sq[upa]_[0-9a-f]{40}', // SonarQube
  'secret_[A-Za-z0-9]{30,}', // Notion
  'dapi[0-9a-f]{32}', // Databricks
  'shp[a-z]{2}_[0-9a-fA-F]{32}', // Shopify
  'sq0[a-z]{3}-[A-Za-z0-9_-]{20,}', // Square
  '(?:xai|pplx|PMAK|NRAK|NRJS|NRII|HRKU|CFPAT|FLWSECK|FLWSECK_TEST|pul|fio-u)-[A-Za-z0-9_-]{20,}',
  'tskey-[a-z]{2,10}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}', // Tailscale
  'dp\\.[a-z]{2,5}\\.[A-Za-z0-9]{30,}', // Doppler
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}', // Vault
  '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,}', // Terraform
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,}', // Airtable
  'sl\\.[A-Za-z0-9_-]{40,}', // Dropbox
  '[01]/\\d{16}:[0-9a-f]{32}', // Asana
  'access-(?:sandbox|development|production)-[0-9a-f-]{36}', // Plaid
  'EAA[A-Za-z0-9]{40,}', // Facebook
  'EZ[AT]K[A-Za-z0-9]{40,}', // EasyPost
  'LTAI[A-Za-z0-9]{16,}', // Alibaba
  'AKID[A-Za-z0-9]{30,}', // Tencent
  'AQVN[A-Za-z0-9_-]{30,}', // Yandex
  'ATATT3[A-Za-z0-9_=-]{20,}', // Atlassian
  'AGE-SECRET-KEY-1[0-9A-Z]{40,}',
  '\\d{8,10}:[A-Za-z0-9_-]{35}', // Telegram
  '[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}', // Discord
];

export const TOKENS: RegExp = new RegExp(`(?<![A-Za-z0-9])(?:${VENDOR_TOKENS.join('|')})`, 'g');
