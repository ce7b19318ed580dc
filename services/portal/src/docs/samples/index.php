<?php // Needs the extension curl.

/** The location of a visitor; empty if the lookup fails. */
function locate(string $visitor): array
{
    if ($visitor === '') { // A Unix socket: the visitor is known only to the proxy.
        return [];
    }
    $headers = '';
    $request = curl_init('https://geo.example.com/v1/geo');
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer YOUR_KEY', "X-Forwarded-For: $visitor"],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT_MS => 500,
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$headers): int {
            $headers .= $line;
            return strlen($line);
        },
    ]);
    $body = json_decode((string) curl_exec($request), true) ?? [];
    if (isset($body['error'])) {
        error_log("{$body['error']['message']} {$body['error']['docs']}");
        return [];
    }
    if ($body && !preg_match('/^Vary:.*X-Forwarded-For/mi', $headers)) {
        error_log("This key can't forward visitors. Issue one with --forward.");
        return [];
    }
    return $body;
}

$city = locate($_SERVER['REMOTE_ADDR'])['city'] ?? 'visitor';
echo 'Hello, ', htmlspecialchars($city), '!';
