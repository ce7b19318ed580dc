<?php
// The parts of Laravel that routes/web.php uses, without an application's skeleton.
require '/usr/share/php/Illuminate/autoload.php';
require '/usr/share/php/GuzzleHttp/autoload.php';

$app = new Illuminate\Container\Container();
Illuminate\Support\Facades\Facade::setFacadeApplication($app);
$app->instance('router', new Illuminate\Routing\Router(new Illuminate\Events\Dispatcher($app), $app));
$app->instance('log', new class {
    public function warning(string $message): void
    {
        error_log($message);
    }
});
require __DIR__ . '/web.php';
$request = Illuminate\Http\Request::capture();
$app->instance(Illuminate\Http\Request::class, $request);
$app->make('router')->dispatch($request)->send();
