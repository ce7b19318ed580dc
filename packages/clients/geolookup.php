<?php

/**
 * Locates the visitors of a web application with a geolookup service. Copy this file; it needs only PHP 8.1 or newer with curl.
 *
 *     $geo = new Geolookup('https://geo.example.com', getenv('GEO_KEY'), trustedProxies: ['127.0.0.1', '10.0.0.0/8']);
 *     $record = $geo->locate($_SERVER['REMOTE_ADDR'], $_SERVER['HTTP_X_FORWARDED_FOR'] ?? null); // null if the lookup fails
 *
 * `trustedProxies` lists every proxy between your visitors and your application: addresses and CIDRs. X-Forwarded-For is read
 * only from these, so visitors can't choose their location. Visitors are cached in APCu, if it is installed, for as long as the
 * service allows.
 */
final class Geolookup
{
    private const MAX_ENTRIES = 10_000;

    /** @var list<array{string, string}> Networks and their masks, in binary. */
    private array $proxies = [];

    /** @var array<string, array{array<string, mixed>, float}> Records and when they expire, without APCu. */
    private array $cache = [];

    private string $key;

    /**
     * @param string|false|null $key if it is empty, or false as getenv returns for an unset variable, every lookup fails.
     * @param int $timeoutMs the deadline of a whole lookup.
     */
    public function __construct(
        private string $url,
        string|false|null $key,
        array $trustedProxies = [],
        private int $timeoutMs = 500,
    ) {
        $this->key = trim((string) $key);
        if (!preg_match('~^https?://[^/?#@]+(/[^?#]*)?$~', $url)) {
            throw new InvalidArgumentException('url must be the base address of the API');
        }
        foreach ($trustedProxies as $proxy) {
            [$text, $length] = explode('/', $proxy, 2) + [1 => null];
            $network = self::parse($text);
            $bits = 8 * strlen((string) $network);
            $length ??= $bits;
            if ($network === null || !ctype_digit((string) $length) || $length > $bits) {
                throw new InvalidArgumentException("'$proxy' isn't a valid address or CIDR");
            }
            $mask = str_repeat("\xff", intdiv((int) $length, 8)) . chr(0xff00 >> $length % 8);
            $mask = substr(str_pad($mask, $bits / 8, "\0"), 0, $bits / 8);
            $this->proxies[] = [$network & $mask, $mask];
        }
    }

    /**
     * The visitor's address: the peer or, if that is one of your proxies, the last entry of X-Forwarded-For that isn't.
     * Null if the peer has no address.
     */
    public function visitor(string $peer, ?string $forwardedFor = null): ?string
    {
        $current = self::parse($peer);
        foreach (array_reverse(explode(',', (string) $forwardedFor)) as $hop) {
            if ($current === null || !$this->trusts($current)) {
                break;
            }
            $entry = self::parseHop($hop);
            if ($entry === null) {
                break;
            }
            $current = $entry;
        }
        return $current === null ? null : inet_ntop($current);
    }

    /** The record of the visitor who sent a request; null if the lookup fails. */
    public function locate(string $peer, ?string $forwardedFor = null): ?array
    {
        $visitor = $this->visitor($peer, $forwardedFor);
        if ($visitor === null) {
            return null;
        }
        $isShared = function_exists('apcu_enabled') && apcu_enabled();
        $cacheKey = 'geolookup:' . hash_hmac('sha256', $visitor, $this->key);
        $cached = $isShared ? apcu_fetch($cacheKey) : $this->cache[$cacheKey] ?? false;
        if ($cached && microtime(true) < $cached[1]) {
            return $cached[0];
        }
        try {
            [$record, $maxAgeSeconds] = $this->request($visitor);
        } catch (Throwable $error) { // A failed lookup never breaks a page.
            error_log("geolookup: {$error->getMessage()}");
            return null;
        }
        $entry = [$record, microtime(true) + $maxAgeSeconds];
        if ($isShared && $maxAgeSeconds > 0) {
            apcu_store($cacheKey, $entry, $maxAgeSeconds);
        } elseif (!$isShared) {
            unset($this->cache[$cacheKey]);
            if (count($this->cache) >= self::MAX_ENTRIES) {
                unset($this->cache[array_key_first($this->cache)]);
            }
            $this->cache[$cacheKey] = $entry;
        }
        return $record;
    }

    /** @return array{array<string, mixed>, int} the record, and for how many seconds it may be cached */
    private function request(string $visitor): array
    {
        if ($this->key === '') {
            throw new RuntimeException('the key is empty. With PHP-FPM, set it with env[…] in the configuration of the pool');
        }
        $headers = ['vary' => '', 'cache-control' => ''];
        $request = curl_init(rtrim($this->url, '/') . '/v1/geo');
        curl_setopt_array($request, [
            CURLOPT_HTTPHEADER => ["Authorization: Bearer {$this->key}", "X-Forwarded-For: $visitor"],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => $this->timeoutMs,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = ($headers[strtolower($name)] ?? '') . ',' . strtolower(trim($value));
                return strlen($line);
            },
        ]);
        $text = curl_exec($request);
        if ($text === false) {
            throw new RuntimeException(curl_error($request));
        }
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        $body = json_decode($text, true);
        if ($status !== 200 || !is_array($body)) {
            $error = $body['error'] ?? ['message' => 'not a geolookup response', 'docs' => ''];
            throw new RuntimeException("status $status: {$error['message']} {$error['docs']}");
        }
        $isForwarded = in_array('x-forwarded-for', array_map('trim', explode(',', $headers['vary'])), true);
        // Without an address to compare, the service's notice tells whose location this is.
        $isVisitors = isset($body['ip'])
            ? self::parse($body['ip']) === self::parse($visitor)
            : !str_contains($headers['x-geolookup-notice'] ?? '', 'own location');
        if (!$isForwarded || !$isVisitors) {
            throw new RuntimeException("this key can't look up visitors. Ask the operator for one issued with --forward");
        }
        preg_match('/\bmax-age=(\d{1,9})/', $headers['cache-control'], $match);
        return [$body, (int) ($match[1] ?? 0)];
    }

    private function trusts(string $address): bool
    {
        foreach ($this->proxies as [$network, $mask]) {
            if (strlen($mask) === strlen($address) && ($address & $mask) === $network) {
                return true;
            }
        }
        return false;
    }

    /** An entry of X-Forwarded-For, an address that may have brackets or a port, in binary. */
    private static function parseHop(string $hop): ?string
    {
        preg_match('/^(?|\[([^\]]*:[^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5}|(.*))$/', trim($hop), $match);
        return self::parse($match[1] ?? '');
    }

    /** An address in binary; null if the text isn't one. */
    private static function parse(string $text): ?string
    {
        $text = str_contains($text, ':') ? explode('%', $text)[0] : $text;
        if (!filter_var($text, FILTER_VALIDATE_IP)) {
            return null;
        }
        $address = inet_pton($text);
        $isMapped = strlen($address) === 16 && str_starts_with($address, str_repeat("\0", 10) . "\xff\xff");
        return $isMapped ? substr($address, 12) : $address;
    }
}
